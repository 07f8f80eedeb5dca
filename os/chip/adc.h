/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a chip offers to drivers of its analog to digital converter.
 *
 * A chip has one converter. It is off except from adc_begin to the interrupt in which adc_take
 * returns true. The board's wiring binds the interrupt to the driver.
 *
 * Sleep: from adc_begin on, the driver must keep the chip out of modes deeper than
 * CHIP_SLEEP_CONVERTING.
 */
#ifndef CHIP_ADC_H
#define CHIP_ADC_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/arch.h>

/* What is converted, and how. */
struct adc_conversion {
    uint8_t channel;      /* the chip's number of an input */
    bool of_reference;    /* full scale is the chip's reference, not its supply */
    uint8_t samples_log2; /* the mean of so many samples, a power of two, up to 10 */
};

#define ADC_NO_CHANNEL 0xff

/* [impl] CHIP_SLEEP_CONVERTING  the deepest mode in which a conversion goes on
 */

/* Prepares the converter. At start-up. */
void adc_open(void);

/* The channel of a pin, or ADC_NO_CHANNEL. */
uint8_t adc_channel_of_pin(uint8_t pin);

/* Makes a conversion of one of enum adc_own_input, or of a channel otherwise: fills in channel and
 * reference.
 * returns   0, or ERR_INVALID if the chip has no such input, or not with that full scale
 */
int adc_convert_own(uint8_t input, struct adc_conversion *conversion);
int adc_convert_channel(uint8_t channel, struct adc_conversion *conversion);

/* Connects a pin to the converter.
 * returns   0, or ERR_BUSY if it serves another peripheral
 */
int adc_connect(uint8_t pin);

/* Begins a conversion. Its interrupt comes at the drivers' level. At the kernel level.
 * returns   0, or ERR_TIMEOUT if the converter has no clock; no interrupt comes then
 */
int adc_begin(const struct adc_conversion *conversion);

/* In the interrupt: takes a result.
 * returns   whether it is complete; else another interrupt comes
 */
bool adc_take(uint16_t *raw);

/* The supply, by the raw value of ADC_SUPPLY; and the chip's reference. In millivolts. */
uint16_t adc_supply_mv(uint16_t raw);
uint16_t adc_reference_mv(void);

/* The temperature by the raw value of ADC_TEMPERATURE, in hundredths of a degree Celsius.
 * returns   0, or ERR_CORRUPT if the factory's values are missing
 */
int adc_temperature(uint16_t raw, int16_t *centidegrees);

#endif
