/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How late a deadline may be once nothing delays it any more (lichen/time.h), plus what the reading
 * of the clock that checks it takes. */
#ifndef TEST_MOTE_FRAME_LATE_H
#define TEST_MOTE_FRAME_LATE_H

#include <lichen/time.h>

#include "machine.h"

/* The length of some ticks, rounded up. */
#define US_OF_TICKS(ticks) (((ticks)*UINT32_C(15625) + TIME_PARTS_PER_US - 1) / TIME_PARTS_PER_US)

#define TICK_US US_OF_TICKS(1)
#define LATE_US US_OF_TICKS(TIME_LATE_TICKS)

#endif
