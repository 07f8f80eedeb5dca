/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The slice timer: timer 2. */
#ifndef SLICE_TIMER_H
#define SLICE_TIMER_H

#include <avr/io.h>
#include <stdbool.h>

static inline bool slice_timer_runs(void)
{
    return TCCR2 != 0;
}

#endif
