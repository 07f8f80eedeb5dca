/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The MicaZ has two timers, of which its radio has one, and waves have the other.
 *
 * on: micaz
 * error: test/refused/waves_radio_and_task_avr.c:21: the interrupt TIMER3_COMPA has two handlers,
 *        here and in pwm.c
 * help: waves (lichen/pwm.h) have this timer, RT_TIMER_A: give the task RT_TIMER_B; beside alarms
 *        in microseconds or the MicaZ's radio, which have that one, a program has either waves or
 *        a task on RT_TIMER_A
 */
#include <lichen/gpio.h>
#include <lichen/pwm.h>
#include <lichen/radio.h>
#include <lichen/rt.h>
#include <lichen/thread.h>

EVENT(radio_received)
{
}

RT_TASK(sample, RT_TIMER_A, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    rt_acknowledge();
}

THREAD(t, 512, PRIORITY_APP)
{
    radio_listen(true);
    (void)!pwm_start(GPIO_PIN('E', 3), 1000, PWM_SHARE(50));
    rt_period_start(sample);
}
