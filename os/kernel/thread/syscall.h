/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the kernel itself does with pending calls (lichen/syscall.h). At the kernel level. */
#ifndef KERNEL_THREAD_SYSCALL_H
#define KERNEL_THREAD_SYSCALL_H

#include <stdbool.h>

#include <lichen/syscall.h>
#include <lichen/notify.h>

#include "kernel/time/time.h"

/* Makes a call: what syscall_run and its variants share. Inlined, since a function would make each
 * of them a quarter slower.
 * expire    0: the call has no deadline
 */
static inline __attribute__((always_inline)) int
syscall_enter(arch_call_fn *fn, struct syscall *call, deadline_fn *expire)
{
    call->deadline.expire = expire;
    call->list = 0;
    call->cancel = 0;
    call->result = 0;
    int error = arch_kernel_call(fn, call);
    return error != 0 ? error : call->result;
}

/* The deadline of a call has passed: it ends. */
void syscall_expire(struct deadline *passed, const uint64_t *reached);

/* Takes a call out of every list, and tells its service (`cancel`). The thread still waits. */
void syscall_cancel(struct syscall *call);

/* Puts a call into a list, behind those of at least its thread's priority. */
void syscall_insert(struct syscall **list, struct syscall *call);

/* Takes a call out of its list. */
void syscall_remove(struct syscall *call);

/* A thread that waits directly for a notification has no pending call; its control block points to
 * the notification instead, with ARCH_CALL_TAG set.
 */
static inline struct syscall *syscall_of_notify(struct notify *notify)
{
    return (struct syscall *)((uintptr_t)notify | ARCH_CALL_TAG);
}

/* Whether a control block's call stands for a notification. */
static inline bool syscall_is_notify(const struct syscall *call)
{
    return (uintptr_t)call & ARCH_CALL_TAG;
}

/* The notification that it stands for. */
static inline struct notify *syscall_notify(const struct syscall *call)
{
    return (struct notify *)((uintptr_t)call - ARCH_CALL_TAG);
}

#endif
