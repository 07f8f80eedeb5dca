/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A task of priority 1 would stand still while a page of flash is written.
 *
 * on: micaz
 * error: test/refused/rt_waits_for_page_avr.c:17: real-time task `sample` has priority 1, and waits
 *        for up to 8.2 ms while the program writes flash
 * help: give it .priority = 0, or write RT_MAY_WAIT_FOR_FLASH (lichen/rt.h); if its deadline allows
 *        that
 */
#include <lichen/rt.h>
#include <lichen/thread.h>

int code_erase(uint32_t page); /* chip/code.h */

static volatile uint8_t runs;

RT_TASK(sample, RT_TIMER_A, .priority = 1, .period_us = 500, .deadline_us = 200, .wcet_cycles = 200)
{
    rt_acknowledge();
    runs++;
}

THREAD(t, 256, PRIORITY_APP)
{
    rt_period_start(sample);
    (void)code_erase(0x8000);
}
