/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The ready list, and pausing, which keeps a thread off it.
 *
 * The usual cases do not come here: the architecture's assembly and ready.h insert a
 * thread at the head, remove the first one, or move it behind its equals. What concerns slices is
 * in slice.c.
 *
 * A thread that waits directly for a notification is woken without a test of its state, so pausing
 * marks the notification for notify_deliver_rare; the mark stays until the thread is woken.
 */
#include "kernel/thread/ready.h"

#include <stdbool.h>

#include <lichen/assert.h>
#include <lichen/kernel.h>

#include "arch/arch.h"
#include "kernel/event/event.h"
#include "kernel/start.h"
#include "kernel/thread/syscall.h"
#include "kernel/thread/thread.h"

/* The idle thread is on the list before any other, in every program that has a list. */
static void ready_begin(void)
{
    idle.next = &idle;
}
START(ready_begin);

void ready_link(struct thread *thread, uint_fast8_t priority)
{
    struct thread **link = &kernel_state()->ready;
    struct thread *other;
    while ((other = *link)->priority >= priority) {
        assert(link != &other->next); /* behind the idle thread is itself */
        link = &other->next;
    }
    thread->next = other;
    *link = thread;
}

static void unlink(struct thread **link, const struct thread *thread)
{
    struct thread *other;
    while ((other = *link) != thread) {
        assert(link != &other->next);
        link = &other->next;
    }
    *link = thread->next;
}

__attribute__((used)) void ready_insert_others(struct thread *thread, struct thread *first,
                                               uint_fast8_t priority, uint_fast8_t threshold)
{
    if (threshold != priority && threshold != KERNEL_SLICED) {
        struct thread *before = first;
        struct thread *other;
        while ((other = before->next)->priority >= priority) {
            before = other;
        }
        thread->next = other;
        before->next = thread;
    } else {
        slice_insert(thread);
    }
}

void ready_insert(struct thread *thread)
{
    ready_insert_inline(thread);
}

void ready_remove(struct thread *thread)
{
    struct kernel *state = kernel_state();
    assert(thread->next != thread); /* the idle thread, which runs cooperative ones, cannot wait */
    if (state->ready != thread) {
        unlink(&state->ready, thread);
        slice_check();
        return;
    }
    state->ready = thread->next;
    slice_begin();
    if (state->ready->priority == PRIORITY_IDLE) {
        arch_idle_next();
    }
}

void ready_move(struct thread *thread, uint_fast8_t priority)
{
    struct kernel *state = kernel_state();
    struct thread *first = state->ready;
    if (thread == first) {
        slice_interrupt();
    }
    uint_fast8_t place = priority;
    if (priority == thread->base) {
        thread->slices &= SLICE_OWN;
        place += thread->slices; /* before its equals if that slice goes on */
    }
    if (thread != first && place > first->priority) {
        slice_interrupt();
    }
    unlink(&state->ready, thread);
    thread->priority = (uint8_t)priority;
    ready_link(thread, place);
    if (thread == first || state->ready != first) {
        slice_begin();
    } else {
        slice_check();
    }
}

static void pause(void *argument)
{
    struct thread *thread = argument;
    uint8_t state = thread->state;
    if (state & (THREAD_PAUSED | THREAD_STOPPED)) {
        return;
    }
    if (state == THREAD_READY) {
        ready_remove(thread);
    } else if (syscall_is_notify(thread->syscall)) {
        notify_slow(syscall_notify(thread->syscall), thread);
    }
    thread->state = state | THREAD_PAUSED;
}

static void resume(void *argument)
{
    struct thread *thread = argument;
    uint8_t state = thread->state;
    if (state == THREAD_PAUSED) {
        ready_insert(thread);
    } else {
        thread->state = state & (uint8_t)~THREAD_PAUSED;
    }
}

void thread_pause(struct thread *thread)
{
    kernel_do(pause, thread);
}

void thread_resume(struct thread *thread)
{
    kernel_do(resume, thread);
}
