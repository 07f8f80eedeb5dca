/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How far around a wrap the tests go, and what lasts how long. The same names for every chip. */
#ifndef TICK_OF_CHIP_H
#define TICK_OF_CHIP_H

/* Alarms near a wrap: ticks before it when they are set, and their ticks around it. */
#define AHEAD_MOST 70
#define AHEAD_STEP 3
#define DUE_BEFORE 30
#define DUE_AFTER  60

/* Where the lower half of the counter wraps; 0 if there is none. */
#define HALF_WRAP 0x10000u

/* How long an interrupt handler holds up everything. */
#define HELD_TICKS 40u

/* A reading of the time: so many ticks before the wrap, and the cycles of it. */
#define READING_BEFORE 14
#define READING_CYCLES 700

/* The same of setting an alarm, and its tick after the wrap. */
#define SETTING_BEFORE 26
#define SETTING_DUE    20
#define SETTING_CYCLES 5000
#define SETTING_STEP   3

/* The cycles around the match of an alarm: how far ahead it is, and from how much earlier on. */
#define MATCH_AHEAD  60
#define MATCH_EARLY  12
#define MATCH_CYCLES 3000
#define MATCH_STEP   5

#endif
