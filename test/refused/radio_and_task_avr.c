/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The timer that captures the times of frames has a real-time task, too.
 *
 * on: micaz
 * error: test/refused/radio_and_task_avr.c:18: the interrupt TIMER1_COMPA has two handlers, here
 *        and in counter.c
 * help: alarms in microseconds, sleep_exact_us and the MicaZ's radio have this timer, RT_TIMER_B:
 *        give the task RT_TIMER_A; beside them a program has either that or waves (lichen/pwm.h)
 */
#include <lichen/radio.h>
#include <lichen/rt.h>
#include <lichen/thread.h>

EVENT(radio_received)
{
}

RT_TASK(sample, RT_TIMER_B, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    rt_acknowledge();
}

THREAD(t, 512, PRIORITY_APP)
{
    radio_listen(true);
    rt_period_start(sample);
}
