/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "../code_flash.h"

#include <lichen/rt.h>

SEMAPHORE_RT(beats, 0);
volatile uint16_t beat_runs, beat_latest;

RT_TASK_IN_RAM(beat, RT_TIMER_A, .priority = 0, .period_us = 1000, .deadline_us = 40,
               .wcet_cycles = 200)
{
    rt_acknowledge();
    beat_runs++;
    rt_semaphore_post(&beats);
}

void beat_start(void)
{
    rt_period_start(beat);
}

void beat_stop(void)
{
    rt_period_stop(beat);
}
