/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cycles since the last time of a task on RT_TIMER_A, whose period is at most 8 ms. */
#ifndef TEST_MOTE_BYTE_STRETCH_CYCLES_H
#define TEST_MOTE_BYTE_STRETCH_CYCLES_H

#include <avr/io.h>
#include <stdint.h>

static inline uint16_t cycles_since_task(void)
{
    return TCNT3;
}

#endif
