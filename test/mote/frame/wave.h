/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Watches a wave at a pin by looking at its level. */
#ifndef TEST_MOTE_FRAME_WAVE_H
#define TEST_MOTE_FRAME_WAVE_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/gpio.h>
#include <lichen/time.h>

#include "compute.h"
#include "test.h"

enum {
    WAVE_PERIODS = 8,
    WAVE_LOOKS = 2000, /* at most for an edge: 100 ms and more */
    WAVE_LOOK_US = 48,
};

struct wave {
    unsigned percent; /* high */
    unsigned hz;      /* 0: no edges */
};

/* Looks until the pin rises. Returns whether it does. */
static inline bool wave_look_for_rise(uint8_t pin, uint32_t *looks, uint32_t *high)
{
    bool before = true;

    for (unsigned i = 0; i < WAVE_LOOKS; i++) {
        bool now = gpio_read(pin);
        if (now && !before) {
            return true;
        }
        before = now;
        *high += now;
        ++*looks;
        compute_us(WAVE_LOOK_US);
    }
    return false;
}

static inline struct wave wave_watch(uint8_t pin)
{
    uint32_t looks = 0, high = 0;
    bool has_edges = wave_look_for_rise(pin, &looks, &high);

    if (has_edges) {
        looks = high = 0;
    }
    uint64_t start = time_now_us();
    for (unsigned i = 0; has_edges && i < WAVE_PERIODS; i++) {
        has_edges = wave_look_for_rise(pin, &looks, &high);
    }
    uint32_t took = (uint32_t)(time_now_us() - start);
    return (struct wave){
        .percent = (unsigned)((high * 100 + looks / 2) / looks),
        .hz = has_edges ? (unsigned)((WAVE_PERIODS * UINT32_C(1000000) + took / 2) / took) : 0,
    };
}

static inline void expect_wave(uint8_t pin, unsigned percent, unsigned hz)
{
    struct wave seen = wave_watch(pin);

    expect(seen.percent + 2 >= percent);
    expect(seen.percent <= percent + 2);
    expect(seen.hz + hz / 20 >= hz);
    expect(seen.hz <= hz + hz / 20);
}

#endif
