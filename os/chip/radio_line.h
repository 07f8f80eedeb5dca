/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a chip with a radio in its package, the AT86RF233, offers to the radio's driver besides the
 * SPI port: its interrupt request, and the time at which that came.
 *
 * The request is level-triggered: it holds until the driver has read the radio's status. So the
 * interrupt disables itself, and the driver enables it again when it has read.
 *
 * The time is captured by hardware, if the program asks for the times of frames, in counts of the
 * radio's own clock output, which has 1 MHz. So it does not depend on when the processor serves the
 * interrupt, and it is there in every sleep mode. The driver starts and stops the counter together
 * with the radio's oscillator.
 */
#ifndef CHIP_RADIO_LINE_H
#define CHIP_RADIO_LINE_H

#include <stdbool.h>
#include <stdint.h>

struct event;

/* Opens the line of the radio's interrupt request, disabled.
 * event     is posted when a request has come while the line is enabled
 * context   init
 */
void radio_line_open(struct event *event);

/* Enables the line. A request that holds already comes at once.
 * context   event
 */
void radio_line_enable(void);

/* Disables it, as a request does, and forgets a request that came.
 * context   event
 */
void radio_line_disable(void);

/* Whether a request has come, and the line is disabled since.
 * context   event
 */
bool radio_line_has_come(void);

/* -------- the time of requests, in a program that asks for it (radio_clock.c) */

/* Starts to count the radio's clock output, which runs. If it does not, nothing is counted.
 * context   event
 * blocks    no       cost  up to 60 us, in which the clocks' registers synchronize
 */
void radio_clock_count(void);

/* Compares the counter with the system's clock: what follows is in microseconds of that one. To be
 * called when the counter has been started, and every few seconds.
 * context   event
 * blocks    no       cost  waits for up to 200 us, rarely for 600
 */
void radio_clock_compare(void);

/* The clock output stops now.
 * context   event
 */
void radio_clock_stops(void);

/* A request has come: its count has been captured.
 * context   the handler of the request
 */
void radio_clock_capture(void);

/* The time at which the last request came.
 * earlier   microseconds before that
 * returns   microseconds of the system clock; 0: it is not known
 * context   event
 */
uint64_t radio_clock_time(uint32_t earlier);

/* -------- what the driver does in place of the chip (os/features.cmake) */

/* The radio's clock output is wanted for something else (chip/calibration.h), which waits for
 * CHIP_CALIBRATION_WAKE_US until it uses it; or is wanted no longer.
 * context   event
 * blocks    no
 */
void radio_clock_start(void);
void radio_clock_stop(void);
void at86rf233_clock_start(void);
void at86rf233_clock_stop(void);

#endif
