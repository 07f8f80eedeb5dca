/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A task would stand still while a page of the log is written.
 *
 * error: test/refused/rt_waits_for_flash.c:17: real-time task `sample` is in flash, and waits
 *        for up to 6 ms while the program writes flash
 * help: place it in RAM with RT_TASK_IN_RAM (lichen/rt.h), or write RT_MAY_WAIT_FOR_FLASH; if
 *        its deadline allows that
 */
#include <lichen/log.h>
#include <lichen/rt.h>
#include <lichen/thread.h>

LOG(samples, 1000);

RT_TASK(sample, RT_TIMER_A, .priority = 0, .period_us = 500, .deadline_us = 100, .wcet_cycles = 100)
{
    rt_acknowledge();
}

THREAD(t, 512, PRIORITY_APP)
{
    rt_period_start(sample);
    (void)!log_append(&samples, "x", 1);
}
