/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program that fails, in place of a panic of the mote.
 *
 * The architecture goes into a panic as always: interrupts off, on the kernel's stack from its top.
 * The record that it fills in is this file's own. If a thread has failed by itself, and it is a
 * program's, nothing else of the mote is wrong: what it did is forgotten, and it begins anew on its
 * own stack, with a call that stops the program. Otherwise the record becomes that of a panic. A
 * failure in here is a panic, too.
 */
#include "kernel/program/program.h"

#include <lichen/kernel.h>
#include <lichen/thread.h>

#include "arch/arch.h"
#include "kernel/panic/panic.h"
#include "kernel/program/end.h"
#include "kernel/program/events.h"
#include "kernel/thread/ready.h"
#include "kernel/thread/syscall.h"
#include "kernel/thread/thread.h"

/* In programs that make threads at run time. */
#pragma weak thread_created_info

struct program_remains program_remains __attribute__((section(".noinit")));

static struct program_crash crash;
static bool deciding; /* between the two halves */

const struct program_crash *program_crash_look(void)
{
    return crash.header != 0 ? &crash : 0;
}

void program_crash_forget(void)
{
    crash.header = 0;
}

const char *panic_thread_name_of_programs(const struct panic_record *record)
{
    return record == &crash.record ? crash.thread : panic_thread_name_declared(record);
}

const struct program *program_visited_none(const struct thread *thread)
{
    (void)thread;
    return 0;
}

/* -------- of whom it is */

static bool is_of_thread(const struct panic_record *record)
{
    switch (record->reason) {
    case PANIC_STACK:
        return true;
    case PANIC_FAULT:
        return ARCH_FAULT_IS_PRECISE && ARCH_STATUS_EXCEPTION(record->status) == 0;
    case PANIC_ASSERT:
        return ARCH_STATUS_EXCEPTION(record->status) == 0;
    default:
        return false;
    }
}

/* The program whose code it is that has failed, or 0. */
static struct program *failed(const struct panic_record *record, const struct thread *thread)
{
    if (!is_of_thread(record)) {
        return 0;
    }
    struct program *program = program_of(thread);
    return program != 0 ? program : (struct program *)(uintptr_t)program_visited(thread);
}

/* -------- what follows */

/* A thread of the image was in a command of the program, and begins anew. */
static void stop(void *program)
{
    struct thread *thread = kernel.current;
    program_stop_service(program);
    if (thread->state != THREAD_STOPPED) {
        thread_end_service(thread);
        (void)thread_start_service(thread, 0);
    }
}

/* Where the thread continues. */
static void leave(void *program)
{
    arch_kernel_leave(stop, program);
}

/* A switch may find the overflow of a thread that waits or was paused. It continues, so it is made
 * ready: else nothing would switch back to it. A wait for a notification may not have taken it off
 * the ready list yet. The kernel's lists are whole: it is a thread that was interrupted. */
static void mend(struct thread *thread)
{
    uint8_t state = thread->state;
    if (state & THREAD_WAITING) {
        if (syscall_is_notify(thread->syscall)) {
            syscall_notify(thread->syscall)->waiter = 0;
        } else {
            syscall_cancel(thread->syscall);
        }
    }
    if (state != THREAD_READY && kernel.ready == thread) {
        thread->state = THREAD_READY;
    } else if (state != THREAD_READY) {
        ready_insert(thread);
    }
}

static void prepare(struct thread *thread, uint8_t *stack, uint16_t bytes, struct program *program)
{
    crash.record.stack_free = panic_stack_left(stack, stack + bytes);
    *(arch_word_t *)(void *)stack = (arch_word_t)ARCH_STACK_PAINT;
    thread->stack_limit = stack + ARCH_STACK_SPARE;
    thread->sp = arch_stack_prepare(stack + bytes, leave);
    arch_stack_argument(thread->sp, program);
}

/* Trusts nothing in the control block. Returns whether the thread is known. */
static bool begins_anew(struct thread *thread, struct program *program)
{
    const ARCH_FLASH struct thread_info *info = thread_info_of(thread);
    const struct thread_info *created =
        info == 0 && thread_created_info != 0 ? thread_created_info(thread) : 0;
    if (info != 0) {
        crash.thread = info->name;
        prepare(thread, info->stack, info->stack_bytes, program);
    } else if (created != 0) {
        crash.thread = created->name;
        prepare(thread, created->stack, created->stack_bytes, program);
    }
    return info != 0 || created != 0;
}

struct panic_record *program_crash_record(void)
{
    return &crash.record;
}

void program_crashed_in_event(struct program *program)
{
    struct panic_record *record = &crash.record;
    *record = (struct panic_record){.reason = record->reason,
                                    .detail = record->detail,
                                    .pc = record->pc,
                                    .count = record->count + 1u};
    crash.header = program->header;
    crash.thread = ARCH_TEXT("event");
    crash.slot = program->slot;
    program->failed = (uint8_t)record->reason;
}

struct panic_record *panic_begin_of_programs(void)
{
    if (deciding || panic_is_under_way()) {
        return panic_begin();
    }
    deciding = true;
    program_remains.panicked = PROGRAM_PANICKED;
    crash.record = (struct panic_record){.count = crash.record.count};
    return &crash.record;
}

static _Noreturn void end(const struct panic_record *record)
{
    struct panic_record *last = panic_begin();
    uintptr_t count = last->count;
    *last = *record;
    last->count = count;
    panic_end(last);
}

void panic_end_of_programs(struct panic_record *record)
{
    if (record != &crash.record) {
        panic_end(record);
    }
    struct thread *thread = kernel.current;
    struct program *program = failed(record, thread);
    if (program == 0 || !begins_anew(thread, program)) {
        end(record);
    }
    record->thread = (uintptr_t)thread;
    record->count++;
    crash.header = program->header;
    crash.slot = program->slot;
    program->failed = (uint8_t)record->reason;
    mend(thread);
    program_remains.panicked = 0;
    deciding = false;
    arch_panic_leave(thread);
}
