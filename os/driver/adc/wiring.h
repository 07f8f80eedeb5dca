/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The board's analog pins. Defined by os/board/<name>, which also gives the converter's interrupt
 * to `adc_interrupt`. */
#ifndef DRIVER_ADC_WIRING_H
#define DRIVER_ADC_WIRING_H

#include <stdint.h>

#include <lichen/arch.h>

extern const ARCH_FLASH uint8_t board_analog_pins[];
extern const ARCH_FLASH uint8_t board_analog_pin_count;

/* Serves the converter's interrupt. */
void adc_interrupt(void);

#endif
