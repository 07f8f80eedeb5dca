/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* On the ATmega128 alarms in microseconds count the timer of RT_TIMER_B.
 *
 * on: micaz
 * refused: the interrupt TIMER3_COMPA has two handlers, here and in counter.c
 */
#include <lichen/alarm.h>
#include <lichen/rt.h>
#include <lichen/thread.h>

RT_TASK(task, RT_TIMER_B, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
}

THREAD(waits, 256, PRIORITY_APP)
{
    rt_period_start(task);
    sleep_exact_us(1000);
}
