/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* On the ATmega128 the timer of RT_TIMER_A makes waves.
 *
 * on: mica2
 * error: test/refused/rt_timer_of_waves_avr.c:16: the interrupt TIMER3_COMPA has two handlers,
 *        here and in pwm.c
 * help: waves (lichen/pwm.h) have this timer, RT_TIMER_A: give the task RT_TIMER_B; beside alarms
 *        in microseconds or the MicaZ's radio, which have that one, a program has either waves or
 *        a task on RT_TIMER_A
 */
#include <lichen/gpio.h>
#include <lichen/pwm.h>
#include <lichen/rt.h>
#include <lichen/thread.h>

RT_TASK(sample, RT_TIMER_A, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    rt_acknowledge();
}

THREAD(t, 512, PRIORITY_APP)
{
    (void)!pwm_start(GPIO_PIN('E', 3), 1000, PWM_SHARE(50));
    rt_period_start(sample);
}
