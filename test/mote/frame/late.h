/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How late a deadline may be once nothing delays it any more (lichen/time.h): 40 ticks, plus what
 * the reading of the clock that checks it takes. */
#ifndef TEST_MOTE_FRAME_LATE_H
#define TEST_MOTE_FRAME_LATE_H

#define LATE_US    1221u
#define READING_US 400u

/* The alarm's share: CHIP_ALARM_LATE_TICKS of the chip's contract. */
#define ALARM_TICKS 24u

#endif
