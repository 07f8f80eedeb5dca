/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How far around a wrap the tests go (tick/samr21/tick_of_chip.h has the names). */
#ifndef TICK_OF_CHIP_H
#define TICK_OF_CHIP_H

#define AHEAD_MOST 9
#define AHEAD_STEP 1
#define DUE_BEFORE 5
#define DUE_AFTER  12

#define HALF_WRAP 0u

#define HELD_TICKS 3u

#define READING_BEFORE 1
#define READING_CYCLES 2500

#define SETTING_BEFORE 2
#define SETTING_DUE    2
#define SETTING_CYCLES 8000
#define SETTING_STEP   7

#define MATCH_AHEAD  5
#define MATCH_EARLY  2
#define MATCH_CYCLES 21600
#define MATCH_STEP   31

#endif
