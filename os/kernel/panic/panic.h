/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The panic record, inside the kernel. */
#ifndef KERNEL_PANIC_PANIC_H
#define KERNEL_PANIC_PANIC_H

#include <lichen/panic.h>

/* In memory that start-up leaves alone. */
extern struct panic_record panic_record;

/* Called when the record is complete, and does nothing: a place for a breakpoint, where a debugger
 * or simulator finds every panic of every build.
 */
void panic_recorded(void);

#endif
