/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a chip offers to the driver of pulse width modulation: a timer with several outputs, each at
 * one pin or more. All calls are made at the kernel level.
 */
#ifndef CHIP_PWM_H
#define CHIP_PWM_H

#include <stdbool.h>
#include <stdint.h>

#define PWM_NO_PIN 0xff

/* [impl] CHIP_SLEEP_WAVES  the deepest mode in which the timer counts
 */

/* The number, less than 16, of a pin that the timer reaches, or PWM_NO_PIN. */
uint8_t pwm_number_of_pin(uint8_t pin);

/* The output of the timer that reaches the pin of a number. */
uint8_t pwm_output_of(uint8_t number);

/* Stops the timer, and prepares it with all outputs low.
 * returns   whether it can count that frequency
 */
bool pwm_timer_prepare(uint32_t hz);

/* Starts it with a new period. */
void pwm_timer_run(void);

void pwm_timer_stop(void);

/* Sets the share of an output: of the next period, if the timer runs. */
void pwm_output_set(uint8_t output, uint16_t share);

/* Connects the timer's output to a pin. Or makes the pin an output at the low level: at once, or
 * when its output is set to 0, which follows if no other pin has that output.
 * returns   whether the pin is free
 */
bool pwm_pin_connect(uint8_t pin);
void pwm_pin_release(uint8_t pin);

#endif
