/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The converter of the SAM R21. The same names for every chip. */
#ifndef ADC_OF_CHIP_H
#define ADC_OF_CHIP_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/adc.h>
#include <lichen/gpio.h>

#define GCLK_CLKCTRL         (*(volatile uint16_t *)0x40000c02u)
#define GCLK_CLKCTRL_ADC     0x431eu /* CLKEN, generator 3, the ADC */
#define GCLK_CLKCTRL_ADC_32K 0x421eu
#define GCLK_CLKCTRL_NO_ADC  0x021eu
#define ADC_CTRLA            (*(volatile uint8_t *)0x42004000u)
#define ADC_CTRLA_ENABLE     2u
#define ADC_WINLT            (*(volatile uint16_t *)0x4200401cu)
#define ADC_CALIB            (*(volatile uint16_t *)0x42004028u)

enum {
    SUPPLY_MV = 3300,
    SUPPLY_RAW = 3379, /* a quarter of it, of 1 V */
    BANDGAP_MV = 1100,
    BANDGAP_MV_ERROR = 1,
    SAMPLE_NS = 19750,
    FIRST_SAMPLE_NS = SAMPLE_NS,
    SAMPLE_LATE_NS = 100,
    SLEEP_CONVERTING = 3, /* STANDBY */
    HAS_REFERENCE = 1,
    CENTIDEGREES = 2500,
    STEP_CENTIDEGREES = 11,    /* 0.24 mV at 2.4 mV a degree */
    ANALOG = GPIO_PIN('A', 7), /* of every board */
    NOT_ANALOG = GPIO_PIN('A', 19),
    NOT_OF_BOARD = GPIO_PIN('A', 9), /* the converter reaches it, but it is not free */
};

static inline bool converter_is_off(void)
{
    return !(ADC_CTRLA & ADC_CTRLA_ENABLE);
}

#endif
