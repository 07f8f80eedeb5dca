/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* On the ATmega128 the timer of RT_TIMER_A makes waves.
 *
 * on: micaz
 * refused: the interrupt TIMER1_COMPA has two handlers, here and in pwm.c
 */
#include <lichen/gpio.h>
#include <lichen/pwm.h>
#include <lichen/rt.h>
#include <lichen/thread.h>

RT_TASK(task, RT_TIMER_A, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
}

THREAD(waves, 256, PRIORITY_APP)
{
    rt_period_start(task);
    (void)!pwm_start(GPIO_PIN('B', 5), 1000, PWM_SHARE(50));
}
