/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How exact alarms are, in ticks (long/samr21/reference_chip.h has the names). */
#ifndef TEST_FORCE_LONG_REFERENCE_CHIP_H
#define TEST_FORCE_LONG_REFERENCE_CHIP_H

#include <lichen/time.h>

/* A reading of the clock, and three deadlines at once. */
#define LATE_TICKS (TIME_LATE_TICKS + 2u)

/* A reading of the clock while the counter wraps. */
#define SETTING_TICKS 3u

#define HOLD_LESS_THAN_WRAP 240u

#endif
