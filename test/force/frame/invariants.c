/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The kernel's state when nothing is under way and the conductor, the least urgent thread except
 * idle, runs: no post is pending, every other thread waits, no stack has overflowed.
 */
#include "force.h"

#include <lichen/event.h>
#include <lichen/kernel.h>
#include <lichen/thread.h>

#include "arch/arch.h"
#include "kernel/sync/mutex.h"
#include "kernel/thread/syscall.h"
#include "kernel/thread/thread.h"

extern struct thread idle;
extern struct thread force_conductor;
extern const volatile uint8_t power_limits_begin[], power_limits_end[];

void force_runs(void)
{
    const struct thread *self = thread_self();
    force_expect(kernel.ready == self);
    force_expect(self->state == THREAD_READY);
}

/* The conductor and idle are ready, and no other thread is. */
static void check_ready_list(void)
{
    force_expect(kernel.current == &force_conductor);
    force_expect(kernel.ready == &force_conductor);
    force_expect(force_conductor.next == &idle);
    force_expect(force_conductor.state == THREAD_READY);
    force_expect(idle.next == &idle);
    force_expect(idle.state == THREAD_READY);
    force_expect(idle.priority == PRIORITY_IDLE);
}

/* The plain wait, whose notification points to the thread. */
static bool waits_for_notification(const struct thread *thread)
{
    const struct syscall *call = thread->syscall;
    return syscall_is_notify(call) && syscall_notify(call)->waiter == thread;
}

/* Threads that do not start by themselves have ended, all others wait. */
static void check_state(const struct thread *thread)
{
    if (thread->info->stopped) {
        force_expect(thread->state == THREAD_STOPPED);
    } else if (thread != &force_conductor) {
        force_expect(thread->state == THREAD_WAITING);
        force_expect(waits_for_notification(thread));
    }
}

static void check_threads(void)
{
    for (const ARCH_FLASH struct thread_info *info = threads_begin; info < threads_end; info++) {
        const struct thread *thread = info->thread;
        uintptr_t stack = (uintptr_t)info->stack;
        uintptr_t sp = (uintptr_t)thread->sp;
        check_state(thread);
        force_expect(thread->priority == info->priority);
        force_expect(thread->base == info->priority);
        force_expect(thread->stack_limit == info->stack + ARCH_STACK_SPARE);
        force_expect(sp >= stack + ARCH_STACK_SPARE && sp < stack + info->stack_bytes);
        force_expect(force_is_painted(info->stack));
    }
    force_expect(force_is_painted(kernel_stack_bottom));
}

/* The calls that wait for a mutex, most urgent first, each belonging to a thread that points to it.
 */
static void check_waiting(const struct mutex *mutex)
{
    const struct syscall *before = 0;
    for (const struct syscall *call = mutex->waiting; call != 0; call = call->next) {
        force_expect(call->thread->syscall == call);
        force_expect(call->thread->state & THREAD_WAITING);
        force_expect(call->object == mutex && call->list == &mutex->waiting);
        force_expect(before == 0 || before->thread->priority >= call->thread->priority);
        before = call;
    }
}

/* The greatest of a thread's own priority and those of the threads that wait for its mutexes. */
static uint8_t priority_due(const struct thread *thread)
{
    uint8_t priority = thread->base;
    for (const struct mutex *mutex = mutexes_begin; mutex < mutexes_end; mutex++) {
        if (mutex_owner(mutex) == thread && mutex->waiting != 0 &&
            mutex->waiting->thread->priority > priority) {
            priority = mutex->waiting->thread->priority;
        }
    }
    return priority;
}

/* The owner of a mutex inherits exactly the priority of its waiters. */
static void check_owner(const struct mutex *mutex)
{
    const struct thread *owner = mutex_owner(mutex);
    if (mutex->waiting != 0) {
        force_expect(owner != 0 && (mutex->owner & MUTEX_CONTENDED) != 0);
    }
    force_expect(owner == 0 || owner->state != THREAD_STOPPED);
    force_expect(owner == 0 || owner->priority == priority_due(owner));
}

/* Ready threads, the most urgent first, up to idle. */
static void check_ready_order(void)
{
    const struct thread *thread = kernel.ready;
    for (; thread != &idle; thread = thread->next) {
        force_expect(thread->state == THREAD_READY);
        force_expect(thread->priority >= thread->next->priority);
    }
    force_expect(thread == &idle);
}

static int check_any_time(void *unused __attribute__((unused)))
{
    check_ready_order();
    for (const struct mutex *mutex = mutexes_begin; mutex < mutexes_end; mutex++) {
        check_waiting(mutex);
        check_owner(mutex);
    }
    return 0;
}

void force_check_now(void)
{
    (void)kernel_run(check_any_time, 0);
}

void force_check_kernel(void)
{
    (void)check_any_time(0);
    check_ready_list();
    check_threads();
}

void force_check_limits(void)
{
    for (const volatile uint8_t *limit = power_limits_begin; limit < power_limits_end; limit++) {
        force_expect(*limit == 0);
    }
}
