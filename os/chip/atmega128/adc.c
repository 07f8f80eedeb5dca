/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The converter (ATmega128 data sheet, Analog to Digital Converter).
 *
 * Its clock is 115.2 kHz; from 50 to 200 kHz it has all of its 10 bits. The first conversion after
 * it is switched on takes 25 clocks, and samples after 117 us: later than the bandgap is ready,
 * which takes 70. Several samples are added by the interrupt.
 *
 * AREF is connected to the supply, so no other reference may be selected.
 */
#include "chip/adc.h"

#include <lichen/adc.h>

#include "chip/chip.h"
#include "chip/atmega128/pin.h"

#define BANDGAP_MV 1230u

enum {
    CHANNEL_BANDGAP = 0x1e,
    RUN = 1 << ADEN | 1 << ADSC | 1 << ADIE | 1 << ADIF | 1 << ADPS2 | 1 << ADPS1, /* by 64 */
    PINS = 8,
};

/* Written at the kernel level while the converter is off, then by the interrupt. */
static uint32_t sum;
static uint16_t left;
static uint8_t samples_log2;

void adc_open(void)
{
    ADCSRA = 0;
}

uint8_t adc_channel_of_pin(uint8_t pin)
{
    uint8_t channel = (uint8_t)(pin - GPIO_PIN('F', 0));

    return channel < PINS ? channel : ADC_NO_CHANNEL;
}

int adc_convert_channel(uint8_t channel, struct adc_conversion *conversion)
{
    conversion->channel = channel;
    return channel == ADC_NO_CHANNEL || conversion->of_reference ? ERR_INVALID : 0;
}

int adc_convert_own(uint8_t own, struct adc_conversion *conversion)
{
    if (own >= ADC_TEMPERATURE) {
        return ERR_INVALID;
    }
    return adc_convert_channel(CHANNEL_BANDGAP, conversion);
}

int adc_connect(uint8_t pin)
{
    (void)pin;
    return 0;
}

int adc_begin(const struct adc_conversion *conversion)
{
    samples_log2 = conversion->samples_log2;
    left = (uint16_t)(1u << samples_log2);
    sum = 0;
    ADMUX = conversion->channel;
    ADCSRA = RUN;
    return 0;
}

bool adc_take(uint16_t *raw)
{
    sum += ADC;
    if (--left > 0) {
        ADCSRA = RUN;
        return false;
    }
    ADCSRA = 0;
    *raw = (uint16_t)(sum >> samples_log2);
    return true;
}

/* The raw value is that of the bandgap, of the supply. */
uint16_t adc_supply_mv(uint16_t raw)
{
    uint32_t full = (uint32_t)BANDGAP_MV * ADC_FULL_SCALE;

    return raw == 0 ? UINT16_MAX : (uint16_t)((full + raw / 2) / raw);
}

uint16_t adc_reference_mv(void)
{
    return BANDGAP_MV;
}

int adc_temperature(uint16_t raw, int16_t *centidegrees)
{
    (void)raw;
    (void)centidegrees;
    return ERR_INVALID;
}
