/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the chip does at the kernel level. Each is there if the program needs it. */
#ifndef ATMEGA128_SERVE_H
#define ATMEGA128_SERVE_H

/* Reports alarms and readings (tick.c). */
__attribute__((weak)) void tick_serve(void);

/* Reports the end of a slice (slice.c). */
__attribute__((weak)) void slice_serve(void);

#endif
