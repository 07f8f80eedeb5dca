/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The panic record, inside the kernel. */
#ifndef KERNEL_PANIC_PANIC_H
#define KERNEL_PANIC_PANIC_H

#include <lichen/panic.h>

/* In memory that start-up does not clear. */
extern struct panic_record panic_record;

/* Enters the thread that runs or is interrupted, if there are threads. Does not dereference it.
 * context   any
 */
void panic_thread(void);
void panic_thread_current(void);

/* Enters how much of the stack of the record's thread has never been used, if the thread is known.
 * Reads only addresses that can be read.
 * context   any
 */
void panic_stack_free(void);
void panic_stack_free_declared(void);

/* Prints the record at the end of a panic, and has a watchdog end a message that hangs.
 * context   any
 */
void panic_report(void);
void panic_report_text(void);

/* What panic_record_begin and panic_record_end of arch/arch.h are in images that load no programs.
 * Where a loaded program fails, only that one ends (kernel/program/crash.c). */
struct panic_record *panic_begin(void);
_Noreturn void panic_end(struct panic_record *record);
struct panic_record *panic_begin_of_programs(void);
_Noreturn void panic_end_of_programs(struct panic_record *record);

/* What panic_print does in programs with a console. */
void panic_print_text(const struct panic_record *record);

/* What takes the place of these functions where the part that they need is not in the program
 * (os/features.cmake). */
void panic_nothing(void);

/* The thread of a record as text: a name, which may be corrupt and unterminated.
 * context   any
 */
__attribute__((weak)) const char *panic_thread_name(const struct panic_record *record);
const char *panic_thread_name_declared(const struct panic_record *record);
const char *panic_thread_name_of_programs(const struct panic_record *record);

/* Bytes of a stack, from `begin`, that still carry the paint.
 * context   any
 */
size_t panic_stack_left(const uint8_t *begin, const uint8_t *end);

/* Makes sure that a panic whose message hangs is ended; the record is valid by then.
 * context   any
 */
void panic_guard(void);
void panic_guard_watchdog(void);
void panic_guard_stopped(void);

/* What follows a panic: arch_reset, as a mote in the field restarts, or a halt.
 * context   any
 */
_Noreturn void panic_finish(void);
_Noreturn void panic_finish_halted(void);

#endif
