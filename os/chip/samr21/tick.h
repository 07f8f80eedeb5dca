/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the tick has to know of sleep. */
#ifndef SAMR21_TICK_H
#define SAMR21_TICK_H

/* The processor is about to sleep. Does nothing in programs that do not use the tick.
 * context   event; thread in programs without a kernel level
 */
void tick_idles(void);

#endif
