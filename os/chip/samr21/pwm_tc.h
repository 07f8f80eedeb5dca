/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The wave of a program whose TCC0 is not free, as chip/pwm.h has it for each of several outputs.
 */
#ifndef SAMR21_PWM_TC_H
#define SAMR21_PWM_TC_H

#include <stdint.h>

#include <lichen/gpio.h>

#define PWM_TC_PIN      GPIO_PIN('A', 19) /* TC3/WO[1] */
#define PWM_TC_FUNCTION 'E'

void pwm_tc_prepare(uint32_t hz);
void pwm_tc_run(void);
void pwm_tc_stop(void);
void pwm_tc_set(uint16_t share);

#endif
