/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Pulse width modulation: square waves at pins, made by a timer.
 *
 *     int error = pwm_start(GPIO_PIN('A', 19), 1000, PWM_SHARE(25));    1 kHz, a quarter high
 *     ... error = pwm_set(GPIO_PIN('A', 19), PWM_SHARE(50)); ...
 *     pwm_stop(GPIO_PIN('A', 19));
 *
 * One timer makes all waves, so they have one frequency, and up to four (ATmega128: three) widths:
 * pins with the same output of the timer have the same one. A pin that is started while others have
 * waves is low until the next period, unless its output is one of theirs. While a wave runs, the
 * mote sleeps lightly (SAM R21: IDLE2; ATmega128: idle). The frequency does not follow the
 * processor's.
 *
 *                SAM R21                                  ATmega128
 *     timer      TCC0                                     3, which is RT_TIMER_A: a task beside
 *                                                         waves has RT_TIMER_B, but not beside a
 *                                                         MICAz's radio
 *     pins       those with TCC0/WO[0] to WO[7]:          PE3, PE4, PE5 (OC3A to OC3C)
 *                PA04, PA05, PA08 to PA11, PA16 to
 *                PA19, PA22, PA23, PB16, PB17
 *     (a board may use some of them itself: its file in board/ names them)
 *     frequency  1 Hz to 1 MHz, in steps of 125 ns        1 Hz to 1 MHz, 16 bits for a period
 *
 * On the SAM R21 the radio and a calibrated tick need the clock of TCC0. Beside them one wave runs,
 * at PA19, LED 0 of both boards, by TC3, with 16 bits for a period. That is RT_TIMER_A: a task has
 * RT_TIMER_B or RT_TIMER_C. A new width holds at once, and a pulse under way that is longer ends.
 * What else goes together: doc/guide/8-which-kind-of-work.md.
 */
#ifndef LICHEN_PWM_H
#define LICHEN_PWM_H

#include <stdint.h>

#include <lichen/error.h>

/* A share of the period in 65,536ths, of which 65,535 is all of it. */
#define PWM_ALWAYS         UINT16_MAX
#define PWM_SHARE(percent) ((uint16_t)(65535ul * (percent) / 100))

/* Starts a wave at a pin, or changes it.
 * hz        frequency, rounded to what the timer can count
 * share     how long it is high: one of PWM_SHARE
 * returns   0; ERR_INVALID: the timer does not reach the pin (which one depends on the radio:
 *           above), or the frequency; ERR_BUSY: the pin serves another peripheral, or waves of
 *           another frequency run
 * context   event, thread
 * blocks    no
 */
MUST_CHECK int pwm_start(uint8_t pin, uint32_t hz, uint16_t share);

/* Changes the width from the next period on, except as said above.
 * returns   0; ERR_EMPTY: no wave runs at the pin
 * context   event, thread
 * blocks    no
 */
MUST_CHECK int pwm_set(uint8_t pin, uint16_t share);

/* Ends the wave of a pin, which becomes an output at the low level; on the ATmega128, while others
 * have waves, when its pulse ends. If it was the last one, the timer stops. Without a wave nothing
 * happens.
 * context   event, thread
 * blocks    no
 */
void pwm_stop(uint8_t pin);

#endif
