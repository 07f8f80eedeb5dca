/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How exact alarms are, in ticks. The same names for every chip. */
#ifndef TEST_FORCE_LONG_REFERENCE_CHIP_H
#define TEST_FORCE_LONG_REFERENCE_CHIP_H

#include <stdint.h>

/* The most ticks that pass from when something is due and nothing delays it until it is done: 40
 * for the alarm, and the clock domain crossings of other deadlines. */
#define LATE_TICKS 60u

/* How many ticks an alarm's compare value takes to cross. */
#define SETTING_TICKS 8u

/* Of a handler: one that takes longer hides a wrap of the counter. */
#define HOLD_LESS_THAN_WRAP ((UINT64_C(1) << 32) - 65536u)

#endif
