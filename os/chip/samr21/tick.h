/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The tick: RTC from generator CLOCK_32K. */
#ifndef SAMR21_TICK_H
#define SAMR21_TICK_H

/* Starts the counter at 0. After clock_init. */
void tick_init(void);

#endif
