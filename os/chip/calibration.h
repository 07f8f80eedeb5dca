/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a chip whose slow clock is an oscillator of its own offers for calibrating it: a counter of
 * a crystal, which is read at each match of the tick's counter, by hardware.
 *
 * The steps are wake, begin, at least two marks, and end. All at the kernel level.
 */
#ifndef CHIP_CALIBRATION_H
#define CHIP_CALIBRATION_H

#include <stdbool.h>
#include <stdint.h>

/* The same moment by both clocks: low parts of the tick's counter, and of a count of microseconds
 * by the crystal, which has at least 24 bits. */
struct calibration_mark {
    uint32_t count;
    uint32_t us;
};

/* [impl] CHIP_CALIBRATION_WAKE_US  from chip_calibration_wake on the crystal takes so long to start
 * [impl] CHIP_CALIBRATION_US_BITS  bits of calibration_mark.us that count
 */

/* Starts the crystal.
 * context   event
 * blocks    no
 */
void chip_calibration_wake(void);

/* Starts counting it. There is no mark yet.
 * context   event
 * blocks    no       cost  up to 60 us, in which the clocks' registers synchronize
 */
void chip_calibration_begin(void);

/* The mark of the latest alarm of the tick (chip_alarm_set) since the last call of this.
 * returns   whether there is one: not if the crystal does not run
 * context   event
 * blocks    no
 */
bool chip_calibration_mark(struct calibration_mark *mark);

/* Stops counting, and the crystal, whichever of the steps above have been taken.
 * context   event
 * blocks    no       cost  as chip_calibration_begin
 */
void chip_calibration_end(void);

/* Gives the counts of the tick's counter their length, from now on. Ticks go on where they are.
 * excess    how much longer a count is than a tick, in ticks / 2^32
 * context   event
 * blocks    no
 */
void chip_calibration_apply(int32_t excess);

#endif
