/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "../radio_bytes.h"

#include <lichen/rt.h>

#include <avr/io.h>

#include "compute.h"

static volatile struct jitter seen;

RT_TASK(sampling, RT_TIMER_A, .priority = 0, .period_us = 8000, .deadline_us = 100,
        .wcet_cycles = 100)
{
    uint16_t cycles = TCNT3;

    rt_acknowledge();
    seen.runs++;
    if (cycles < seen.earliest) {
        seen.earliest = cycles;
    }
    if (cycles > seen.latest) {
        seen.latest = cycles;
    }
}

RT_TASK(hold, RT_TIMER_B, .priority = 0, .period_us = 1000, .deadline_us = 500, .wcet_cycles = 700)
{
    rt_acknowledge();
    compute_cycles(450);
}

void hold_begin(void)
{
    rt_period_start(hold);
}

void hold_end(void)
{
    rt_period_stop(hold);
}

void jitter_begin(void)
{
    seen.runs = 0;
    seen.latest = 0;
    seen.earliest = UINT16_MAX;
    rt_period_start(sampling);
}

struct jitter jitter_end(void)
{
    rt_period_stop(sampling);
    return (struct jitter){seen.runs, seen.earliest, seen.latest};
}
