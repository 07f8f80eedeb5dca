/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The panic record, inside the kernel. */
#ifndef KERNEL_PANIC_PANIC_H
#define KERNEL_PANIC_PANIC_H

#include <lichen/panic.h>

/* In memory that start-up does not clear. */
extern struct panic_record panic_record;

/* The thread that runs or is interrupted, if there are threads. Does not dereference it.
 * context   any
 */
uint32_t panic_thread(void);

/* How much of the stack of a record's thread has never been used. Reads only addresses that can be
 * read.
 * returns   bytes, or 0 if the thread is not known
 * context   any
 */
uint32_t panic_stack_free(const struct panic_record *record);

/* The thread of a record as text: a name, which may be corrupt and unterminated.
 * context   any
 */
__attribute__((weak)) const char *panic_thread_name(const struct panic_record *record);

/* Bytes of a stack, from `begin`, that still carry the paint.
 * context   any
 */
size_t stack_free(const uint8_t *begin, size_t bytes);

/* Makes sure that a panic that hangs is ended; the record is valid by then.
 * context   any
 */
void panic_guard(void);

/* What follows a panic.
 * context   any
 */
_Noreturn void panic_finish(void);

/* Called when the record is complete, and does nothing: a place for a breakpoint, where a debugger
 * or simulator finds every panic of every build.
 */
void panic_recorded(void);

#endif
