/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Periods that are hard to round at this length of a tick. The same names for every chip.
 */
#ifndef TICKS_OF_CHIP_H
#define TICKS_OF_CHIP_H

#include <stdint.h>

/* The rounding excess is a tick less 1 part of 15,625: of one period, and of two. */
#define NEARLY_A_TICK_LONGER_US       6073
#define TWICE_NEARLY_A_TICK_LONGER_US 10849

/* A power of two, of a period that is allowed. */
#define LONG_PERIOD_TICKS (UINT64_C(1) << 28)

#endif
