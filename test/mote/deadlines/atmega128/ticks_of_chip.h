/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Periods at 1,024 ticks a second (samr21/ticks_of_chip.h has the names). */
#ifndef TICKS_OF_CHIP_H
#define TICKS_OF_CHIP_H

#include <stdint.h>

#define NEARLY_A_TICK_LONGER_US       6836
#define TWICE_NEARLY_A_TICK_LONGER_US 3418

#define LONG_PERIOD_TICKS (UINT64_C(1) << 26)

#endif
