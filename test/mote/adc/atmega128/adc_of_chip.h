/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The converter of the ATmega128 (samr21/adc_of_chip.h has the names). */
#ifndef ADC_OF_CHIP_H
#define ADC_OF_CHIP_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/adc.h>
#include <lichen/gpio.h>

#define CONVERTER_CONTROL (*(volatile uint8_t *)0x26u) /* ADCSRA */
#define CONVERTER_ENABLED (1u << 7)                    /* ADEN */

enum {
    SUPPLY_MV = 3006, /* 3 V, within a step of 7 mV */
    SUPPLY_RAW = 419,
    BANDGAP_MV = 1230,
    BANDGAP_MV_ERROR = 3,
    SAMPLE_NS = 112847, /* 13 clocks of 115.2 kHz */
    FIRST_SAMPLE_NS = 217014,
    SAMPLE_LATE_NS = 26042, /* an interrupt, and to the next clock */
    SLEEP_CONVERTING = 1,   /* ADC noise reduction */
    HAS_REFERENCE = 0,
    CENTIDEGREES = 0,
    STEP_CENTIDEGREES = 0,
    ANALOG = GPIO_PIN('F', 1),
    NOT_ANALOG = GPIO_PIN('C', 1),
    NOT_OF_BOARD = GPIO_PIN('G', 0),
};

static inline bool converter_is_off(void)
{
    return !(CONVERTER_CONTROL & CONVERTER_ENABLED);
}

#endif
