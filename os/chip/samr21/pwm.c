/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Waves by TCC0, which counts OSC8M: normal PWM (SAM R21 data sheet, section TCC). Output WO[n] is
 * high from the beginning of a period for CC[n] counts; WO[4] to WO[7] repeat the first four.
 *
 * TCC0 and TCC1 have one clock. In a program that counts the radio's crystal with one of them
 * (radio_line.c, calibration.c), TC3 makes the only wave (pwm_tc.c), at the one pin that both
 * reach.
 */
#include "chip/pwm.h"

#include <lichen/gpio.h>

#include "chip/chip.h"
#include "chip/samr21/clock.h"
#include "chip/samr21/pin.h"
#include "chip/samr21/pwm_tc.h"
#include "chip/samr21/reg/gclk.h"
#include "chip/samr21/reg/pm.h"
#include "chip/samr21/reg/tcc.h"

CLOCK_NEEDS(clock_8m);

/* Its address is 1 in a program with radio_line.c or calibration.c, and otherwise 0: samr21.ld. */
extern const uint8_t crystal_is_counted[];

static bool is_beside_crystal(void)
{
    return (uintptr_t)crystal_is_counted == 1; /* the compiler holds no address for 0 */
}

enum {
    OUTPUTS = 4,
    SHARE_BITS = 16,
};

/* The pins of TCC0, the pin function that connects each, and its output. */
static const struct {
    uint8_t pin;
    char function;
    uint8_t output;
} pins[] = {
    {GPIO_PIN('A', 4), 'E', 0},  {GPIO_PIN('A', 5), 'E', 1},  {GPIO_PIN('A', 8), 'E', 0},
    {GPIO_PIN('A', 9), 'E', 1},  {GPIO_PIN('A', 10), 'F', 2}, {GPIO_PIN('A', 11), 'F', 3},
    {GPIO_PIN('A', 16), 'F', 0}, {GPIO_PIN('A', 17), 'F', 1}, {GPIO_PIN('A', 18), 'F', 2},
    {GPIO_PIN('A', 19), 'F', 3}, {GPIO_PIN('A', 22), 'F', 4}, {GPIO_PIN('A', 23), 'F', 5},
    {GPIO_PIN('B', 16), 'F', 4}, {GPIO_PIN('B', 17), 'F', 5},
};

static uint32_t counts; /* of a period */
static bool is_running;

static void wait_while(uint32_t busy)
{
    while (TCC0->SYNCBUSY & busy) {
    }
}

uint8_t pwm_number_of_pin(uint8_t pin)
{
    if (is_beside_crystal() && pin != PWM_TC_PIN) {
        return PWM_NO_PIN;
    }
    for (uint8_t number = 0; number < sizeof(pins) / sizeof(*pins); number++) {
        if (pins[number].pin == pin) {
            return number;
        }
    }
    return PWM_NO_PIN;
}

uint8_t pwm_output_of(uint8_t number)
{
    return pins[number].output % OUTPUTS;
}

bool pwm_timer_prepare(uint32_t hz)
{
    if (is_beside_crystal()) {
        pwm_tc_prepare(hz);
        return true;
    }
    shared_register_update(&PM->APBCMASK, PM_APBCMASK_TCC0, PM_APBCMASK_TCC0);
    clock_connect(GCLK_ID_TCC0_TCC1, CLOCK_8M);
    TCC0->CTRLA = TCC_CTRLA_SWRST;
    wait_while(TCC_SYNCBUSY_SWRST);
    counts = (CLOCK_8M_HZ + hz / 2) / hz;
    TCC0->WAVE = TCC_WAVE_WAVEGEN_NPWM;
    TCC0->PER = counts - 1;
    is_running = false;
    return true;
}

void pwm_timer_run(void)
{
    if (is_beside_crystal()) {
        pwm_tc_run();
        return;
    }
    wait_while(TCC_SYNCBUSY_ANY);
    TCC0->CTRLA = TCC_CTRLA_ENABLE;
    wait_while(TCC_SYNCBUSY_ANY);
    is_running = true;
}

void pwm_timer_stop(void)
{
    if (is_beside_crystal()) {
        pwm_tc_stop();
        return;
    }
    TCC0->CTRLA = TCC_CTRLA_SWRST;
    wait_while(TCC_SYNCBUSY_SWRST);
}

void pwm_output_set(uint8_t output, uint16_t share)
{
    if (is_beside_crystal()) {
        pwm_tc_set(share);
        return;
    }
    uint32_t high = (uint32_t)(((uint64_t)counts * share + (1u << (SHARE_BITS - 1))) >> SHARE_BITS);

    high = share == UINT16_MAX ? counts : high;
    wait_while(TCC_SYNCBUSY_ANY);
    if (is_running) {
        TCC0->CCB[output] = high;
    } else {
        TCC0->CC[output] = high;
    }
}

bool pwm_pin_connect(uint8_t pin)
{
    if (configuration_of(pin)->PINCFG[pin % PINS_PER_GROUP] & PORT_PINCFG_PMUXEN) {
        return false;
    }
    gpio_pin_connect(pin,
                     is_beside_crystal() ? PWM_TC_FUNCTION : pins[pwm_number_of_pin(pin)].function);
    return true;
}

void pwm_pin_release(uint8_t pin)
{
    gpio_output(pin, 0);
}
