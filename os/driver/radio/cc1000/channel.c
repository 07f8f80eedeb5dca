/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The strength of what is in the channel, by the voltage of RSSI: the weaker, the higher it is.
 *
 * The channel is clear if one of several samples is as weak as noise: a frame is never so weak, but
 * noise is sometimes strong (Polastre et al., B-MAC, 2004). What noise is follows the samples,
 * quickly to weaker ones and slowly to stronger ones, so frames of others do not change it much.
 */
#include "driver/radio/cc1000/driver.h"

#include <lichen/adc.h>

#include "base/noise.h"
#include "driver/radio/cc1000/wiring.h"

enum {
    MARGIN_MV = 120, /* 6 dB */
    WEAKER_SHIFT = 1,
    STRONGER_SHIFT = 5,
    SUPPLY_USUAL_MV = 3000,
    NOISE_SAMPLES = 32, /* the first ones, for random numbers: their last bit is noise */
};

static struct adc_request supply = {.input = ADC_SUPPLY, .options = ADC_IN_MILLIVOLTS};
static struct adc_request rssi = {.options = ADC_ONCE, .done = &cc1000_step};
static uint16_t noise_mv;
static uint8_t noise_samples;

void cc1000_channel_open(void)
{
    rssi.input = cc1000_rssi_pin;
    noise_mv = cc1000_setup_noise_mv();
    if (supply.error != ERR_BUSY) {
        int error = adc_start(&supply);
        (void)error;
    }
}

int cc1000_channel_sample(void)
{
    return cc1000_channel_is_sampling() ? 0 : adc_start(&rssi);
}

bool cc1000_channel_is_sampling(void)
{
    return rssi.error == ERR_BUSY;
}

static uint16_t sample_mv(void)
{
    uint16_t full_mv =
        supply.error == 0 && supply.millivolts != 0 ? supply.millivolts : SUPPLY_USUAL_MV;

    return (uint16_t)((uint32_t)rssi.raw * full_mv / ADC_FULL_SCALE);
}

int8_t cc1000_channel_dbm(void)
{
    return cc1000_setup_dbm(sample_mv());
}

bool cc1000_channel_is_clear(void)
{
    return rssi.error == 0 && sample_mv() + MARGIN_MV >= noise_mv;
}

void cc1000_channel_follow(void)
{
    uint16_t mv = sample_mv();

    if (rssi.error != 0) {
        return;
    }
    if (noise_samples < NOISE_SAMPLES) {
        noise_samples++;
        random_noise(rssi.raw);
    }
    if (mv > noise_mv) {
        noise_mv += (uint16_t)((mv - noise_mv) >> WEAKER_SHIFT);
    } else {
        noise_mv -= (uint16_t)((noise_mv - mv) >> STRONGER_SHIFT);
    }
}
