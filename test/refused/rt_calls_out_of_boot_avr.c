/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A task would call what cannot be fetched while a page of flash is written.
 *
 * on: micaz
 * error: test/refused/rt_calls_out_of_boot_avr.c:24: real-time task `sample` calls `smooth', which
 *        cannot be fetched while the program writes flash
 * help: place a function of the program with RT_IN_BOOT (lichen/rt.h); do without one of the system
 *        or the compiler, or give the task .priority = 1
 */
#include <lichen/rt.h>
#include <lichen/thread.h>

int code_erase(uint32_t page); /* chip/code.h */

static volatile uint16_t mean;

__attribute__((noinline)) static void smooth(uint16_t value)
{
    mean = (uint16_t)(mean - (mean >> 3) + value);
}

RT_TASK(sample, RT_TIMER_A, .priority = 0, .period_us = 500, .deadline_us = 100, .wcet_cycles = 200)
{
    smooth(1);
    rt_acknowledge();
}

THREAD(t, 256, PRIORITY_APP)
{
    rt_period_start(sample);
    (void)code_erase(0x8000);
}
