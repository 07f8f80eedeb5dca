/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Blocking calls, the general way: how a thread makes one, how it waits, what ends the wait. The
 * life of a call: lichen/syscall.h. */
#include "kernel/thread/syscall.h"

#include <lichen/kernel.h>

#include "arch/arch.h"
#include "kernel/start.h"
#include "kernel/thread/ready.h"

NEEDS(ready_insert_others);

/* Linked with the calls that have a deadline (syscall_run_until, sleep). A program without such
 * calls has no clock. */
#pragma weak deadline_insert
#pragma weak deadline_insert_after
#pragma weak deadline_remove

int syscall_run(arch_call_fn *fn, struct syscall *call)
{
    return syscall_enter(fn, call, 0);
}

int syscall_run_on(arch_call_fn *fn, void *object)
{
    struct syscall call;
    call.object = object;
    return syscall_enter(fn, &call, 0);
}

static inline __attribute__((always_inline)) void insert(struct syscall **list,
                                                         struct syscall *call, uint8_t priority)
{
    call->list = list;
    struct syscall *other;
    while ((other = *list) != 0 && other->thread->priority >= priority) {
        list = &other->next;
    }
    call->next = other;
    *list = call;
}

void syscall_insert(struct syscall **list, struct syscall *call)
{
    insert(list, call, call->thread->priority);
}

static inline __attribute__((always_inline)) void remove(struct syscall *call)
{
    struct syscall **link = call->list;
    while (*link != call) {
        link = &(*link)->next;
    }
    *link = call->next;
}

void syscall_remove(struct syscall *call)
{
    remove(call);
}

/* Inlined, like most of what nearly every call runs through: this compiler makes no tail calls, and
 * entering and leaving a function costs as much as the function does. */
static inline __attribute__((always_inline)) int wait_here(struct syscall *call)
{
    struct thread *thread = kernel.current;
    call->thread = thread;
    thread->syscall = call;
    thread->state = THREAD_WAITING;
    ready_leave(thread);
    return 0;
}

void syscall_expire(struct deadline *passed, const uint64_t *reached)
{
    (void)reached;
    struct syscall *call =
        (struct syscall *)(void *)((uint8_t *)passed - offsetof(struct syscall, deadline));
    syscall_cancel(call);
    syscall_end(call, ERR_TIMEOUT);
}

/* Not inlined again: setting the alarm takes much longer than calling this. */
static __attribute__((noinline)) int wait_for_alarm(struct syscall *call)
{
    return wait_here(call);
}

int syscall_wait(struct syscall *call)
{
    if (call->deadline.expire != 0) {
        deadline_insert(&call->deadline, syscall_expire);
    }
    return wait_for_alarm(call);
}

int syscall_wait_after(void *call_)
{
    struct syscall *call = call_;
    deadline_insert_after(&call->deadline, syscall_expire);
    return wait_for_alarm(call);
}

int syscall_wait_in(struct syscall *call, struct syscall **list)
{
    insert(list, call, kernel.current->priority);
    return call->deadline.expire != 0 ? syscall_wait(call) : wait_here(call);
}

/* As syscall_cancel, without telling the service. A deadline that has passed is no longer in its
 * list: its `expire` is 0. */
static inline __attribute__((always_inline)) void leave_lists(struct syscall *call)
{
    if (call->deadline.expire != 0) {
        deadline_remove(&call->deadline);
    }
    if (call->list != 0) {
        remove(call);
    }
}

/* `list` is cleared because syscall_end may follow. */
void syscall_cancel(struct syscall *call)
{
    if (call->deadline.expire != 0) {
        deadline_remove(&call->deadline);
    }
    if (call->list != 0) {
        syscall_remove(call);
    }
    call->list = 0;
    if (call->cancel != 0) {
        call->cancel(call);
    }
}

void syscall_end(struct syscall *call, int result)
{
    struct thread *thread = call->thread;
    leave_lists(call);
    call->result = result;
    thread_wake(thread, ready_insert_inline);
}

void syscall_end_all(struct syscall **list, int result)
{
    while (*list != 0) {
        syscall_end(*list, result);
    }
}
