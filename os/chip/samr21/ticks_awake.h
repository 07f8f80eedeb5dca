/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How long the processor has been awake, in ticks of the slow clock. */
#ifndef SAMR21_TICKS_AWAKE_H
#define SAMR21_TICKS_AWAKE_H

#include <stdint.h>

/* More than any time that is known. */
#define TICKS_AWAKE_UNKNOWN (UINT32_C(1) << 20)

/* An upper bound of the time for which the processor has been awake since cycles_awake_start() of
 * arch/armv6m/cycles_awake.h, however often it has slept in between. Rounded up: by up to 24 % for
 * oscillators at the ends of their ranges, and by a tick.
 * returns   ticks, less than 2^17; TICKS_AWAKE_UNKNOWN if it is not known
 * context   event, interrupt
 */
uint32_t ticks_awake(void);

#endif
