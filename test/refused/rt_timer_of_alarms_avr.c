/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* On the ATmega128 alarms in microseconds count the timer of RT_TIMER_B.
 *
 * on: mica2
 * error: test/refused/rt_timer_of_alarms_avr.c:14: the interrupt TIMER1_COMPA has two handlers,
 *        here and in counter.c
 * help: alarms in microseconds, sleep_exact_us and the MicaZ's radio have this timer, RT_TIMER_B:
 *        give the task RT_TIMER_A; beside them a program has either that or waves (lichen/pwm.h)
 */
#include <lichen/alarm.h>
#include <lichen/rt.h>
#include <lichen/thread.h>

RT_TASK(sample, RT_TIMER_B, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    rt_acknowledge();
}

THREAD(t, 512, PRIORITY_APP)
{
    sleep_exact_us(1000);
    rt_period_start(sample);
}
