/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Checks what the assembly assumes. */
#include <stddef.h>

#include <lichen/kernel.h>
#include <lichen/syscall.h>
#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/panic.h>
#include <lichen/queue.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>

#include "arch/arch.h"

/* The values of C, before layout.h takes their names. What C defines by a macro of one number needs
 * no such copy: the compiler refuses another definition of it. */
enum {
    THREAD_WAITING_OF_C = THREAD_WAITING,
    PANIC_ASSERT_OF_C = PANIC_ASSERT,
    PANIC_FAULT_OF_C = PANIC_FAULT,
    PANIC_INTERRUPT_OF_C = PANIC_INTERRUPT,
    ERR_FULL_OF_C = ERR_FULL,
    ERR_EMPTY_OF_C = ERR_EMPTY,
    NOTIFY_SET_OF_C = (uintptr_t)NOTIFY_SET,
};
#undef NOTIFY_SET

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
_Static_assert(sizeof(struct kernel) == 24 && sizeof(kernel.slot[0]) == 16, "arch.ld");
AT(thread, sp, THREAD_SP);
AT(thread, next, THREAD_NEXT);
AT(thread, stack_limit, THREAD_STACK_LIMIT);
AT(thread, syscall, THREAD_SYSCALL);
AT(thread, priority, THREAD_PRIORITY);
AT(thread, state, THREAD_STATE);
AT(thread, slices, THREAD_SLICES);
_Static_assert(THREAD_STATE % 2 == 0 && offsetof(struct thread, slices) == THREAD_STATE + 1,
               "the switch clears the state and the slices with one store");
AT(syscall, next, SYSCALL_NEXT);
AT(syscall, thread, SYSCALL_THREAD);
AT(syscall, list, SYSCALL_LIST);
AT(syscall, cancel, SYSCALL_CANCEL);
AT(syscall, deadline.expire, SYSCALL_EXPIRE);
_Static_assert(sizeof(struct syscall) == SYSCALL_BYTES, "layout.h");
_Static_assert(offsetof(struct syscall, thread) == 4 && offsetof(struct syscall, list) == 8 &&
                   SYSCALL_CANCEL == 12 && SYSCALL_EXPIRE == 16,
               "block.S fills a call with one instruction");
SAME(THREAD_WAITING);
AT(event, run, EVENT_RUN);
AT(event, pending, EVENT_PENDING);
AT(event, queued, EVENT_QUEUED);
_Static_assert(EVENT_PENDING % 2 == 0 && EVENT_QUEUED == EVENT_PENDING + 1 &&
                   KERNEL_INDEX(ARCH_LEVEL_DRIVER) == 0,
               "rings.inc clears `pending` and the drivers' `queued` with one store");
_Static_assert(KERNEL_INDEX(0) == 2 && KERNEL_INDEX(1) == 3 && KERNEL_INDEX(3) == 1,
               "rings.inc knows the order of levels");
AT(notify, event, 0);
AT(notify, waiter, NOTIFY_WAITER);
SAME(NOTIFY_SET);
AT(mutex, owner, MUTEX_OWNER);
AT(semaphore, waiting, SEMAPHORE_WAITING);
AT(semaphore, count, SEMAPHORE_COUNT);
AT(semaphore_rt, event, 0);
AT(semaphore_rt, mark, NOTIFY_WAITER);
AT(semaphore_rt, semaphore.waiting, SEMAPHORE_RT_WAITING);
AT(semaphore_rt, posted[ARCH_LEVEL_DRIVER], SEMAPHORE_RT_POSTED);
AT(semaphore_rt, taken[ARCH_LEVEL_DRIVER], SEMAPHORE_RT_TAKEN);
_Static_assert(SEMAPHORE_RT_MARK % 2 != 0, "no thread that waits for a notification");
AT(queue, receivers, QUEUE_RECEIVERS);
AT(queue, senders, QUEUE_SENDERS);
AT(queue, slots, QUEUE_SLOTS);
AT(queue, slot_bytes, QUEUE_SLOT_BYTES);
AT(queue, length, QUEUE_LENGTH);
AT(queue, in, QUEUE_IN);
AT(queue, out, QUEUE_OUT);
_Static_assert((uintptr_t)QUEUE_OF_INTERRUPTS >> 1 == 0, "queue.S shifts it out");
#ifdef LICHEN_CPU_TIME
AT(thread, cpu_time, THREAD_CPU_TIME);
#endif
_Static_assert(sizeof(struct thread) == 24 + sizeof(struct arch_cpu_time),
               "the control block grew");
_Static_assert(THREAD_READY == 0, "the switch clears the state of a thread that it makes ready");
AT(panic_record, reason, PANIC_REASON);
AT(panic_record, pc, PANIC_PC);
AT(panic_record, detail, PANIC_DETAIL);
SAME(PANIC_ASSERT);
SAME(PANIC_FAULT);
SAME(PANIC_INTERRUPT);
SAME(ERR_FULL);
SAME(ERR_EMPTY);
