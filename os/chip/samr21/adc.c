/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The converter (SAM R21 data sheet, section ADC).
 *
 * Its clock is 2 MHz, which is below its limit of 2.1 MHz and does not follow the processor's. The
 * input is sampled for 16 us: enough for a source of 200 kohm, for the supply's divider and for the
 * temperature sensor.
 *
 * A conversion that runs in standby keeps OSC8M on. The result is taken by an interrupt and not by
 * DMA: there is one for several samples, and DMA would need the bus clocks meanwhile, which stop in
 * standby. Reading RESULT holds the bus for a synchronization, 1 us.
 *
 * No access may begin while a synchronization is under way, since the bus would wait for it;
 * without a clock for ever. So each waits for the one before, but not for ever.
 */
#include "chip/adc.h"

#include <lichen/adc.h>
#include <lichen/gpio.h>
#include <lichen/interrupt.h>

#include "chip/chip.h"
#include "chip/samr21/clock.h"
#include "chip/samr21/interrupt.h"
#include "chip/samr21/pin.h"
#include "chip/samr21/reg/adc.h"
#include "chip/samr21/reg/gclk.h"
#include "chip/samr21/reg/nvmctrl.h"
#include "chip/samr21/reg/pm.h"
#include "chip/samr21/reg/sysctrl.h"

CLOCK_NEEDS(clock_8m);

enum {
    REFERENCE_MV = 1000,
    SUPPLY_DIVIDER = 4,
    SAMPLE_HALF_CYCLES = 64,
    FITTING_LOG2 = 4, /* sums of more samples are shifted right by the chip */
    POLLS = 40,       /* of 8 cycles: a synchronization takes 1.2 us */
    FUNCTION_ANALOG = 'B',
};

static uint16_t control; /* CTRLB, INPUTCTRL and REFCTRL as they are */
static uint32_t input;
static uint8_t reference = 0xff;

/* The first conversion with another reference, or of a source that was off, is worth nothing (data
 * sheet, ADC, Initialization), so it is of one sample. While it is made, this is 1 more than the
 * log2 of the samples of the next one; otherwise 0. Set at the kernel level before the interrupt
 * can come. */
static uint8_t samples_after_first;

/* AIN[0] to AIN[19] are PA02, PA03, PB08, PB09, PA04 to PA07, PB00 to PB07, PA08 to PA11. */
uint8_t adc_channel_of_pin(uint8_t pin)
{
    uint8_t number = pin % PINS_PER_GROUP;

    if (pin < GPIO_PIN('B', 0)) {
        return number < 2    ? ADC_NO_CHANNEL
               : number < 4  ? number - 2
               : number < 8  ? number
               : number < 12 ? number + 8
                             : ADC_NO_CHANNEL;
    }
    if (pin < GPIO_PIN('C', 0)) {
        return number < 8 ? number + 8 : number < 10 ? number - 6 : ADC_NO_CHANNEL;
    }
    return ADC_NO_CHANNEL;
}

int adc_convert_channel(uint8_t channel, struct adc_conversion *conversion)
{
    conversion->channel = channel;
    return channel == ADC_NO_CHANNEL ? ERR_INVALID : 0;
}

int adc_convert_own(uint8_t own, struct adc_conversion *conversion)
{
    switch (own) {
    case ADC_SUPPLY:
        conversion->channel = ADC_INPUTCTRL_SCALEDIOVCC;
        conversion->of_reference = true;
        return 0;
    case ADC_TEMPERATURE:
        conversion->channel = ADC_INPUTCTRL_TEMP;
        conversion->of_reference = true;
        return 0;
    case ADC_BANDGAP:
        conversion->channel = ADC_INPUTCTRL_BANDGAP;
        return 0;
    default:
        return ERR_INVALID;
    }
}

/* The input buffer is off: at a voltage between the levels it would draw current. */
int adc_connect(uint8_t pin)
{
    struct port_group *group = configuration_of(pin);
    unsigned number = pin % PINS_PER_GROUP;
    unsigned function = group->PMUX[number / 2] >> (number % 2 * 4) & 0xfu;

    if (group->PINCFG[number] & PORT_PINCFG_PMUXEN) {
        return function == FUNCTION_ANALOG - 'A' ? 0 : ERR_BUSY;
    }
    gpio_pin_connect(pin, FUNCTION_ANALOG);
    group->PINCFG[number] = PORT_PINCFG_PMUXEN;
    return 0;
}

static uint16_t calibration(void)
{
    uint32_t low = NVM_CALIBRATION[0], high = NVM_CALIBRATION[1];
    uint32_t linearity =
        low >> NVM_CALIBRATION_ADC_LINEARITY_Pos | (high & NVM_CALIBRATION_ADC_LINEARITY_HIGH_Msk)
                                                       << (32 - NVM_CALIBRATION_ADC_LINEARITY_Pos);
    uint32_t bias = high >> NVM_CALIBRATION_ADC_BIASCAL_Pos & NVM_CALIBRATION_ADC_BIASCAL_Msk;

    return (uint16_t)(bias << ADC_CALIB_BIAS_CAL_Pos | linearity);
}

void adc_open(void)
{
    struct adc *adc = ADC_REGISTERS;

    shared_register_update(&PM->APBCMASK, PM_APBCMASK_ADC, PM_APBCMASK_ADC);
    clock_connect(GCLK_ID_ADC, CLOCK_8M);
    adc->CALIB = calibration();
    adc->SAMPCTRL = SAMPLE_HALF_CYCLES - 1;
    adc->INTENSET = ADC_INT_RESRDY;
    chip_interrupt_enable(INTERRUPT_ADC, LEVEL_DRIVER);
}

static bool settles(void)
{
    for (unsigned polls = POLLS; polls > 0; polls--) {
        if (!(ADC_REGISTERS->STATUS & ADC_STATUS_SYNCBUSY)) {
            return true;
        }
    }
    return false;
}

/* Sources that are on only while they are measured. */
static uint32_t source_of(uint8_t channel)
{
    return channel == ADC_INPUTCTRL_TEMP      ? SYSCTRL_VREF_TSEN
           : channel == ADC_INPUTCTRL_BANDGAP ? SYSCTRL_VREF_BGOUTEN
                                              : 0u;
}

/* Of the supply: half of the input, of half of the supply. Returns whether the first conversion is
 * worth nothing. */
static bool set_reference(const struct adc_conversion *conversion)
{
    uint8_t wanted = conversion->of_reference ? ADC_REFCTRL_INT1V : ADC_REFCTRL_INTVCC1;
    uint32_t source = source_of(conversion->channel);
    bool is_other = wanted != reference;

    reference = wanted;
    ADC_REGISTERS->REFCTRL = wanted;
    if (source != 0) {
        SYSCTRL->VREF |= source;
    }
    return is_other || source != 0;
}

static void set_samples(uint8_t log2)
{
    uint8_t adjust = log2 < FITTING_LOG2 ? log2 : FITTING_LOG2;

    ADC_REGISTERS->AVGCTRL = (uint8_t)(adjust << ADC_AVGCTRL_ADJRES_Pos | log2);
}

static bool set_control(uint16_t wanted)
{
    if (control == wanted) {
        return true;
    }
    control = wanted;
    ADC_REGISTERS->CTRLB = wanted;
    return settles();
}

static bool set_input(uint32_t wanted)
{
    if (input == wanted) {
        return true;
    }
    input = wanted;
    ADC_REGISTERS->INPUTCTRL = wanted;
    return settles();
}

int adc_begin(const struct adc_conversion *conversion)
{
    struct adc *adc = ADC_REGISTERS;
    bool accumulates = conversion->samples_log2 > 0;
    uint32_t gain = conversion->of_reference ? ADC_INPUTCTRL_GAIN_1X : ADC_INPUTCTRL_GAIN_DIV2;

    if (!settles()) {
        return ERR_TIMEOUT;
    }
    bool is_first = set_reference(conversion);
    samples_after_first = is_first ? conversion->samples_log2 + 1 : 0;
    set_samples(is_first ? 0 : conversion->samples_log2);
    if (!set_control(ADC_CTRLB_PRESCALER_DIV4 | (accumulates ? ADC_CTRLB_RESSEL_16BIT : 0)) ||
        !set_input(conversion->channel | ADC_INPUTCTRL_MUXNEG_GND | gain)) {
        return ERR_TIMEOUT;
    }
    adc->CTRLA = ADC_CTRLA_ENABLE | ADC_CTRLA_RUNSTDBY;
    if (!settles()) {
        return ERR_TIMEOUT;
    }
    adc->SWTRIG = ADC_SWTRIG_START;
    return 0;
}

bool adc_take(uint16_t *raw)
{
    struct adc *adc = ADC_REGISTERS;

    if (samples_after_first != 0) {
        set_samples(samples_after_first - 1);
        samples_after_first = 0;
        adc->INTFLAG = ADC_INT_RESRDY;
        adc->SWTRIG = ADC_SWTRIG_START;
        return false;
    }
    *raw = adc->RESULT;
    adc->CTRLA = 0;
    if (source_of((uint8_t)(input & ADC_INPUTCTRL_MUXPOS_Msk)) != 0) {
        SYSCTRL->VREF &= ~(uint32_t)SYSCTRL_VREF_OUTPUTS;
    }
    return true;
}

uint16_t adc_supply_mv(uint16_t raw)
{
    return (uint16_t)(((uint32_t)raw * (SUPPLY_DIVIDER * REFERENCE_MV) + ADC_FULL_SCALE / 2) /
                      ADC_FULL_SCALE);
}

uint16_t adc_reference_mv(void)
{
    return REFERENCE_MV;
}
