/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The chip's tick, for whatever part of the kernel needs it. */
#ifndef KERNEL_TIME_TICKS_H
#define KERNEL_TIME_TICKS_H

/* Starts the tick. Nobody calls it: NEEDS(ticks_start) puts it among the starts.
 * context   init
 */
void ticks_start(void);

#endif
