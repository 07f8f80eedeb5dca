/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Pulse width modulation. Everything happens at the kernel level, where nothing interrupts it. */
#include <lichen/pwm.h>

#include <stdbool.h>

#include <lichen/arch.h>
#include <lichen/power.h>

#include "chip/chip.h"
#include "chip/pwm.h"

enum { HZ_MOST = 1000000 };

static uint16_t waves;     /* a bit for each pin with a wave, by its number */
static uint32_t frequency; /* Hz; 0: the timer stands */

POWER_LIMIT(waves_limit);

static uint16_t bit_of(uint8_t number)
{
    return (uint16_t)(1u << number);
}

static bool has_wave(uint8_t pin)
{
    uint8_t number = pwm_number_of_pin(pin);

    return number != PWM_NO_PIN && (waves & bit_of(number)) != 0;
}

static bool is_used(uint8_t output)
{
    for (uint8_t number = 0; number < 8 * sizeof(waves); number++) {
        if ((waves & bit_of(number)) && pwm_output_of(number) == output) {
            return true;
        }
    }
    return false;
}

static void stop_timer(void)
{
    pwm_timer_stop();
    frequency = 0;
    power_unlimit(&waves_limit);
}

/* A frequency and the share of an output. The timer is started anew if it has another one. */
static int set(uint32_t hz, uint8_t output, uint16_t share)
{
    bool is_new = hz != frequency;

    if (is_new && !pwm_timer_prepare(hz)) {
        stop_timer();
        return ERR_INVALID;
    }
    pwm_output_set(output, share);
    if (is_new) {
        frequency = hz;
        power_limit(&waves_limit, CHIP_SLEEP_WAVES);
        pwm_timer_run();
    }
    return 0;
}

struct request {
    uint32_t hz;
    uint16_t share;
    uint8_t pin;
};

static int add(const struct request *request, uint8_t number)
{
    if ((frequency != 0 && request->hz != frequency) || !pwm_pin_connect(request->pin)) {
        return ERR_BUSY;
    }
    int error = set(request->hz, pwm_output_of(number), request->share);
    if (error == 0) {
        waves |= bit_of(number);
    } else {
        pwm_pin_release(request->pin);
    }
    return error;
}

static int start_wave(void *request_, void *unused)
{
    const struct request *request = request_;
    uint8_t number = pwm_number_of_pin(request->pin);

    (void)unused;
    if (number == PWM_NO_PIN || request->hz == 0 || request->hz > HZ_MOST) {
        return ERR_INVALID;
    }
    if (!(waves & bit_of(number))) {
        return add(request, number);
    }
    if (request->hz != frequency && waves != bit_of(number)) {
        return ERR_BUSY;
    }
    return set(request->hz, pwm_output_of(number), request->share);
}

int pwm_start(uint8_t pin, uint32_t hz, uint16_t share)
{
    struct request request = {.hz = hz, .share = share, .pin = pin};

    return arch_kernel_run(&request, 0, start_wave);
}

static int set_wave(void *request_, void *unused)
{
    const struct request *request = request_;

    (void)unused;
    if (!has_wave(request->pin)) {
        return ERR_EMPTY;
    }
    pwm_output_set(pwm_output_of(pwm_number_of_pin(request->pin)), request->share);
    return 0;
}

int pwm_set(uint8_t pin, uint16_t share)
{
    struct request request = {.share = share, .pin = pin};

    return arch_kernel_run(&request, 0, set_wave);
}

/* An output that no pin has any more is low, so that a pin that starts later begins with a whole
 * period. */
static int stop_wave(void *pin_, void *unused)
{
    uint8_t pin = (uint8_t)(uintptr_t)pin_;

    (void)unused;
    if (has_wave(pin)) {
        uint8_t number = pwm_number_of_pin(pin);
        pwm_pin_release(pin);
        waves &= (uint16_t)~bit_of(number);
        if (waves == 0) {
            stop_timer();
        } else if (!is_used(pwm_output_of(number))) {
            pwm_output_set(pwm_output_of(number), 0);
        }
    }
    return 0;
}

void pwm_stop(uint8_t pin)
{
    (void)arch_kernel_run((void *)(uintptr_t)pin, 0, stop_wave);
}
