/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What users of timer/counters share. */
#ifndef SAMR21_TC_H
#define SAMR21_TC_H

#include <stdint.h>

enum { TC_DIVISIONS = 8 };

/* The divisor of each value of CTRLA.PRESCALER, as a power of 2. */
extern const uint8_t tc_division[TC_DIVISIONS];

#endif
