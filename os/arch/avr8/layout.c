/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Checks what the assembly and the linker scripts assume. */
#include <stddef.h>

#include <lichen/kernel.h>
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/panic.h>
#include <lichen/queue.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>

#include "arch/arch.h"

/* The values of C, before layout.h takes their names. */
enum {
    ERR_FULL_OF_C = ERR_FULL,
    ERR_EMPTY_OF_C = ERR_EMPTY,
    NOTIFY_SET_OF_C = (uintptr_t)NOTIFY_SET,
    ARCH_FRAME_BYTES_OF_C = ARCH_FRAME_BYTES,
    SEMAPHORE_RT_MARK_OF_C = SEMAPHORE_RT_MARK,
    THREAD_WAITING_OF_C = THREAD_WAITING,
    KERNEL_SLICED_OF_C = KERNEL_SLICED,
    ARCH_CALL_TAG_OF_C = ARCH_CALL_TAG,
    ARCH_LEVEL_DRIVER_OF_C = ARCH_LEVEL_DRIVER,
    PANIC_ASSERT_OF_C = PANIC_ASSERT,
    PANIC_FAULT_OF_C = PANIC_FAULT,
    PANIC_STACK_OF_C = PANIC_STACK,
    PANIC_CONTEXT_OF_C = PANIC_CONTEXT,
    PANIC_INTERRUPT_OF_C = PANIC_INTERRUPT,
};
#undef SEMAPHORE_RT_MARK
#undef THREAD_WAITING
#undef KERNEL_SLICED
#undef ARCH_CALL_TAG
#undef ARCH_LEVEL_DRIVER
#undef NOTIFY_SET
#undef ARCH_FRAME_BYTES

#include "layout.h"

#define SAME(value) _Static_assert((value) == (value##_OF_C), #value " differs: layout.h")
#define AT(type, field, offset)                                                                    \
    _Static_assert(offsetof(struct type, field) == (offset), #type "." #field " moved: layout.h")

AT(kernel, current, KERNEL_CURRENT);
AT(kernel, ready, KERNEL_READY);
AT(kernel, in, KERNEL_IN);
AT(kernel, out, KERNEL_OUT);
AT(kernel, direct, KERNEL_DIRECT);
AT(kernel, threshold, KERNEL_THRESHOLD);
AT(kernel, slot, KERNEL_SLOT);
AT(event, run, 0);
AT(event, pending, EVENT_PENDING);
AT(event, queued, EVENT_QUEUED);
_Static_assert(KERNEL_INDEX(0) == 0 && KERNEL_INDEX(1) == 1 && KERNEL_INDEX(2) == 2, "deliver.S");
_Static_assert(sizeof(struct kernel) == 13 && sizeof(kernel.slot[0]) == KERNEL_SLOT_BYTES,
               "arch.ld");
AT(thread, sp, THREAD_SP);
AT(thread, next, THREAD_NEXT);
AT(thread, stack_limit, THREAD_STACK_LIMIT);
AT(thread, syscall, THREAD_SYSCALL);
AT(thread, priority, THREAD_PRIORITY);
AT(thread, state, THREAD_STATE);
AT(thread, slices, THREAD_SLICES);
_Static_assert(THREAD_READY == 0, "deliver.S");
_Static_assert(sizeof(struct thread) == 16, "the control block grew");
AT(mutex, owner, MUTEX_OWNER);
AT(semaphore, waiting, SEMAPHORE_WAITING);
AT(semaphore, count, SEMAPHORE_COUNT);
AT(notify, waiter, NOTIFY_WAITER);
AT(semaphore_rt, mark, NOTIFY_WAITER);
AT(semaphore_rt, semaphore.waiting, SEMAPHORE_RT_WAITING);
AT(semaphore_rt, posted, SEMAPHORE_RT_POSTED);
AT(semaphore_rt, taken, SEMAPHORE_RT_TAKEN);
AT(syscall, next, 0);
AT(syscall, thread, SYSCALL_THREAD);
AT(syscall, list, 4);
AT(syscall, cancel, 6);
AT(syscall, deadline.expire, SYSCALL_EXPIRE);
AT(syscall, result, SYSCALL_RESULT);
_Static_assert(sizeof(struct syscall) == SYSCALL_BYTES, "block.S");
AT(queue, receivers, QUEUE_RECEIVERS);
AT(queue, senders, QUEUE_SENDERS);
AT(queue, slots, QUEUE_SLOTS);
AT(queue, slot_bytes, QUEUE_SLOT_BYTES);
AT(queue, length, QUEUE_LENGTH);
AT(queue, in, QUEUE_IN);
AT(queue, out, QUEUE_OUT);
_Static_assert((uintptr_t)QUEUE_OF_INTERRUPTS >> 8 == 0, "queue.S looks at the upper byte only");
AT(panic_record, reason, PANIC_REASON);
AT(panic_record, pc, PANIC_PC);
AT(panic_record, sp, PANIC_SP);
AT(panic_record, status, PANIC_STATUS);
AT(panic_record, detail, PANIC_DETAIL);
_Static_assert(offsetof(struct exception_frame, level) == 15 &&
                   offsetof(struct exception_frame, pc_high) == 17,
               "macros.inc");
SAME(NOTIFY_SET);
SAME(ARCH_FRAME_BYTES);
SAME(SEMAPHORE_RT_MARK);
SAME(THREAD_WAITING);
SAME(KERNEL_SLICED);
SAME(ARCH_CALL_TAG);
SAME(ARCH_LEVEL_DRIVER);
SAME(PANIC_ASSERT);
SAME(PANIC_FAULT);
SAME(PANIC_STACK);
SAME(PANIC_CONTEXT);
SAME(PANIC_INTERRUPT);
SAME(ERR_FULL);
SAME(ERR_EMPTY);
_Static_assert(STACK_PAINT == (uint8_t)ARCH_STACK_PAINT, "switch.S");
