/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sampling at 100 Hz by a real-time task, and a thread that computes and sleeps by turns, for other
 * times in each turn: so samples come while it does the one or the other.
 */
#ifndef BENCH_NETWORK_SAMPLING_H
#define BENCH_NETWORK_SAMPLING_H

#include <lichen/led.h>
#include <lichen/rt.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "sample_pin.h"

/* A sample takes 2.2 us in the paper; this one is a change of a pin, by which it is measured. The
 * mote sleeps no deeper than in the mode from which it wakes fastest. */
RT_TASK(sample, RT_TIMER_A, .priority = 0, .period_us = 10000, .deadline_us = 25, .wcet_cycles = 80,
        .max_wake_us = 4)
{
    sample_pin_toggle();
    rt_acknowledge();
}

static volatile uint32_t results[8];

/* All kinds of instructions: loads, stores, multiplications, calls and divisions. */
static inline void compute(uint16_t rounds)
{
    for (uint16_t round = 0; round < rounds; round++) {
        for (uint8_t i = 0; i < 8; i++) {
            results[i] = results[i] * 1103515245u + round;
        }
        results[0] /= results[1] % 1000 + 7;
    }
}

static inline void sample_start(void)
{
    led_off(0);
    rt_period_start(sample);
}

static inline void sweep_phases(void)
{
    for (uint16_t turn = 0;; turn++) {
        compute(turn % 29);
        sleep_us(turn * 217u % 4000u);
    }
}

#endif
