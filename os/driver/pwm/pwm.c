/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Pulse width modulation. Everything happens at the kernel level, where nothing interrupts it. */
#include <lichen/pwm.h>

#include <stdbool.h>

#include <lichen/arch.h>
#include <lichen/power.h>

#include "chip/chip.h"
#include "chip/pwm.h"

enum {
    WAVES = 4,
    HZ_MOST = 1000000,
};

/* A pin with a wave; unused if its output is PWM_NO_OUTPUT plus one, 0. */
struct wave {
    uint8_t pin;
    uint8_t output_plus_1;
};

static struct wave waves[WAVES];
static uint32_t frequency; /* Hz; 0: the timer stands */

POWER_LIMIT(waves_limit);

static struct wave *wave_at(uint8_t pin)
{
    for (unsigned i = 0; i < WAVES; i++) {
        if (waves[i].output_plus_1 != 0 && waves[i].pin == pin) {
            return &waves[i];
        }
    }
    return 0;
}

static struct wave *unused_wave(void)
{
    for (unsigned i = 0; i < WAVES; i++) {
        if (waves[i].output_plus_1 == 0) {
            return &waves[i];
        }
    }
    return 0;
}

static unsigned count(void)
{
    unsigned running = 0;

    for (unsigned i = 0; i < WAVES; i++) {
        running += waves[i].output_plus_1 != 0;
    }
    return running;
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

static int add(const struct request *request, uint8_t output)
{
    struct wave *wave = unused_wave();

    if (wave == 0 || (frequency != 0 && request->hz != frequency) ||
        !pwm_pin_connect(request->pin)) {
        return ERR_BUSY;
    }
    int error = set(request->hz, output, request->share);
    if (error == 0) {
        *wave = (struct wave){.pin = request->pin, .output_plus_1 = (uint8_t)(output + 1)};
    } else {
        pwm_pin_release(request->pin);
    }
    return error;
}

static int start_wave(void *request_, void *unused)
{
    const struct request *request = request_;
    struct wave *wave = wave_at(request->pin);
    uint8_t output = pwm_output_of_pin(request->pin);

    (void)unused;
    if (output == PWM_NO_OUTPUT || request->hz == 0 || request->hz > HZ_MOST) {
        return ERR_INVALID;
    }
    if (wave == 0) {
        return add(request, output);
    }
    if (request->hz != frequency && count() > 1) {
        return ERR_BUSY;
    }
    return set(request->hz, output, request->share);
}

int pwm_start(uint8_t pin, uint32_t hz, uint16_t share)
{
    struct request request = {.hz = hz, .share = share, .pin = pin};

    return arch_kernel_run(&request, 0, start_wave);
}

static int set_wave(void *request_, void *unused)
{
    const struct request *request = request_;
    struct wave *wave = wave_at(request->pin);

    (void)unused;
    if (wave == 0) {
        return ERR_EMPTY;
    }
    pwm_output_set((uint8_t)(wave->output_plus_1 - 1), request->share);
    return 0;
}

int pwm_set(uint8_t pin, uint16_t share)
{
    struct request request = {.share = share, .pin = pin};

    return arch_kernel_run(&request, 0, set_wave);
}

static int stop_wave(void *pin_, void *unused)
{
    uint8_t pin = (uint8_t)(uintptr_t)pin_;
    struct wave *wave = wave_at(pin);

    (void)unused;
    if (wave != 0) {
        pwm_pin_release(pin);
        wave->output_plus_1 = 0;
        if (count() == 0) {
            stop_timer();
        }
    }
    return 0;
}

void pwm_stop(uint8_t pin)
{
    (void)arch_kernel_run((void *)(uintptr_t)pin, 0, stop_wave);
}
