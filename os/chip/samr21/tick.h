/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the tick has to know of sleep, and of calibrations. */
#ifndef SAMR21_TICK_H
#define SAMR21_TICK_H

#include <stdint.h>

/* What chip_sleep_prepare is in programs that use the tick: the tick forgets the present, then the
 * mode is selected.
 * context   event; thread in programs without a kernel level
 */
void tick_sleep_select(uint8_t mode);

/* The processor sleeps otherwise than when it idles: the present is not bounded any more. A store
 * for code in RAM, which cannot call. 0 in programs that do not use the tick.
 */
extern __attribute__((weak)) volatile uint8_t tick_base;
#define TICK_BASE_STALE 0

/* Gives the counts of the slow clock another length, from the last one that is known on
 * (tick_length.h). An alarm that is set keeps its tick, or comes up to two ticks later.
 * excess    how much longer a count is than a tick, in ticks / 2^32
 * context   event
 */
void tick_length_change(int32_t excess);

/* Keeps a reading for chip_ticks_noted. Only in programs that call that.
 * context   the handler of the reading
 */
__attribute__((weak)) void tick_keep_noted(const uint64_t *count);

/* Whether a reading for it is under way.
 * context   event
 */
bool tick_is_noting(void);

#endif
