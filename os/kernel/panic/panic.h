/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The panic record, inside the kernel. */
#ifndef KERNEL_PANIC_PANIC_H
#define KERNEL_PANIC_PANIC_H

#include <lichen/panic.h>

/* In memory that start-up leaves alone. */
extern struct panic_record panic_record;

/* Enters the thread into the record, where there are threads.
 * context   any
 */
void panic_of_thread(struct panic_record *record);

/* What a record says of the thread, in words: its name, or none.
 * context   any
 */
__attribute__((weak)) const char *panic_thread_name(const struct panic_record *record);

/* Bytes of a stack, from `begin`, that still carry the paint.
 * context   any
 */
size_t stack_free(const uint8_t *begin, size_t bytes);

/* Called when the record is complete, and does nothing: a place for a breakpoint, where a debugger
 * or simulator finds every panic of every build.
 */
void panic_recorded(void);

#endif
