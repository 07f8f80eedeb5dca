/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The panic record, inside the kernel. */
#ifndef KERNEL_PANIC_PANIC_H
#define KERNEL_PANIC_PANIC_H

#include <lichen/panic.h>

/* In memory that start-up leaves alone. */
extern struct panic_record panic_record;

/* The thread that runs or is interrupted, where there are threads. Looks at nothing behind it.
 * context   any
 */
uint32_t panic_thread(void);

/* How much of the stack of a record's thread was never touched. Looks only at what can be read.
 * returns   bytes, or 0 if the thread is none that is known
 * context   any
 */
uint32_t panic_stack_free(const struct panic_record *record);

/* What a record says of the thread, in words: a name, which may be broken and have no end.
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
