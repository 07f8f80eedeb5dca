/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Finds the place of a panic. Entered from fault.S, on the kernel's stack.
 * The exception frame shows where a thread or handler was, if it can be read: after an overflow of
 * the kernel's stack it cannot.
 */
#include "arch/arch.h"

#include <lichen/panic.h>
#include <lichen/thread.h>

#include "arch/armv6m/fault.h"
#include "arch/armv6m/system.h"

extern const uint8_t flash_end[], ram_begin[], ram_end[];

_Noreturn void panic_fault(uint32_t anything, uint32_t exc_return,
                           const struct exception_frame *frame, uint32_t at);
_Noreturn void panic_called(uint32_t reason, uint32_t detail, uint32_t pc, uint32_t sp);
_Noreturn void panic_stack(const struct thread *thread, const struct exception_frame *frame);

__asm__(".global panic_begin"); /* os/kernel/panic/record.c, or what calls it */

_Noreturn void panic_leave(void *sp);

/* Bytes from a call to its return address. */
#define BL_BYTES 4u

/* The SVC instruction, by which every kernel call is made (ARMv6-M ARM, A6.7). */
#define SVC_0     0xdf00u
#define SVC_BYTES 2u

bool arch_can_read(const void *address, size_t bytes)
{
    uintptr_t first = (uintptr_t)address;
    uintptr_t end = first < (uintptr_t)ram_begin ? (uintptr_t)flash_end : (uintptr_t)ram_end;
    return first % sizeof(uint32_t) == 0 && first <= end && bytes <= end - first;
}

/* Stacks are in RAM. */
static bool is_on_stack(const struct exception_frame *frame)
{
    uintptr_t offset = (uintptr_t)frame - (uintptr_t)ram_begin;
    return offset % sizeof(uint32_t) == 0 &&
           offset <= (uintptr_t)ram_end - (uintptr_t)ram_begin - sizeof(*frame);
}

__attribute__((noinline)) struct panic_record *panic_at(const struct exception_frame *frame,
                                                        uint32_t at)
{
    struct panic_record *record = panic_record_begin();
    record->sp = at;
    if (is_on_stack(frame)) {
        record->pc = frame->pc;
        record->lr = frame->lr;
        record->status = frame->xpsr;
        record->sp += sizeof(*frame);
    }
    return record;
}

/* An SVC in a handler is a kernel call that only threads may make. It faults, and the frame holds
 * the address after it. No other fault in a handler occurs right after an SVC.
 */
void panic_of_handler_call(struct panic_record *record)
{
    uint32_t call = record->pc - SVC_BYTES;
    if (call < (uintptr_t)flash_end && *(const uint16_t *)(uintptr_t)call == SVC_0) {
        record->reason = PANIC_CONTEXT;
        record->detail = ARCH_STATUS_EXCEPTION(record->status);
        record->pc = call;
    }
}

_Noreturn void panic_fault(uint32_t anything, uint32_t exc_return,
                           const struct exception_frame *frame, uint32_t at)
{
    (void)anything;
    struct panic_record *record = panic_at(frame, at);
    record->reason = PANIC_FAULT;
    record->detail = exc_return;
    if (!(exc_return & EXC_RETURN_PSP)) {
        if (at < (uintptr_t)kernel_stack_bottom) {
            record->reason = PANIC_KERNEL_STACK;
            record->detail = (uintptr_t)kernel_stack_bottom;
        } else {
            panic_of_handler(record);
        }
    }
    panic_record_end(record);
}

_Noreturn void panic_called(uint32_t reason, uint32_t detail, uint32_t pc, uint32_t sp)
{
    struct panic_record *record = panic_record_begin();
    record->reason = reason;
    record->pc = (pc & ~1u) - BL_BYTES;
    record->sp = sp;
    record->status = ipsr();
    record->detail = detail;
    panic_record_end(record);
}

_Noreturn void panic_stack(const struct thread *thread, const struct exception_frame *frame)
{
    uintptr_t limit = (uintptr_t)thread->stack_limit; /* a fault here leaves a record of its own */
    struct panic_record *record = panic_at(frame, (uint32_t)(uintptr_t)frame);
    record->reason = PANIC_STACK;
    record->detail = limit;
    panic_record_end(record);
}

/* What r5 was where a switch found an overflow: in svc_yield, the thread after the caller. */
extern struct thread *overflow_after;
struct thread *overflow_after;

/* svc_yield had moved the thread behind the next ones, and it is still followed by them. */
_Noreturn void arch_panic_leave(struct thread *thread)
{
    const struct thread *other = thread->next;
    while (thread->state == THREAD_READY && other != thread && other->next != other) {
        other = other->next;
    }
    if (thread->state == THREAD_READY && other == thread) {
        thread->next = overflow_after;
    }
    panic_leave(thread->sp);
}
