/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The ready list. All functions run at the kernel level.
 *
 * One sorted list: the most urgent thread first, equals in the order in which they will run, the
 * idle thread last. The first thread is the one to run. A mote has few ready threads at a time, so
 * walking past those that come before is cheaper than a queue per priority, in cycles and in RAM,
 * and waking a thread that becomes the first costs the same however many are ready.
 */
#ifndef KERNEL_THREAD_READY_H
#define KERNEL_THREAD_READY_H

#include <lichen/assert.h>
#include <lichen/kernel.h>
#include <lichen/thread.h>

/* The slow part of ready_insert: the thread does not become the first, or the first one's slice is
 * being counted.
 * first      the first ready thread
 * priority   the thread's
 * threshold  the kernel's, not below the priority
 */
void ready_insert_behind(struct thread *thread, struct thread *first, uint_fast8_t priority,
                         uint_fast8_t threshold);

/* What that is in programs that request no fast clock, and in those that do
 * (kernel/power/clock.c). */
void ready_insert_others(struct thread *thread, struct thread *first, uint_fast8_t priority,
                         uint_fast8_t threshold);
void ready_insert_fast(struct thread *thread, struct thread *first, uint_fast8_t priority,
                       uint_fast8_t threshold);

/* Makes a thread ready, behind its equals.
 * cost      O(n) ready threads of at least its priority
 */
void ready_insert(struct thread *thread);

/* The same, inlined, for callers on which the speed of a wake-up depends. */
static inline __attribute__((always_inline)) void ready_insert_inline(struct thread *thread)
{
    struct kernel *state = kernel_state();
    thread->state = THREAD_READY;
    thread->slices = 0;
    __asm__("" : : : "memory"); /* in this order, which needs fewer registers */
    struct thread *first = state->ready;
    uint_fast8_t priority = thread->priority;
    uint_fast8_t threshold = state->threshold;
    if (__builtin_expect(priority > threshold, 1)) {
        state->threshold = (uint8_t)priority;
        thread->next = first;
        state->ready = thread;
    } else {
        ready_insert_behind(thread, first, priority, threshold);
    }
}

/* Ends the wait of a thread: makes it ready, unless it is paused as well. Any other state means
 * that memory is corrupt, and is refused.
 *
 * insert    ready_insert, or ready_insert_inline
 */
static inline __attribute__((always_inline)) void thread_wake(struct thread *thread,
                                                              void (*insert)(struct thread *thread))
{
    if (thread->state != THREAD_WAITING) {
        assert(thread->state == (THREAD_WAITING | THREAD_PAUSED));
        thread->state = THREAD_PAUSED;
    } else {
        insert(thread);
    }
}

/* Gives a ready thread another priority, and moves it behind its new equals. A thread that returns
 * to its own priority and has a rest of its own slice resumes that slice, ahead of them.
 * cost      O(n) ready threads
 */
void ready_move(struct thread *thread, uint_fast8_t priority);

/* Links a thread behind those of at least a given priority, and does nothing else.
 * cost      O(n) ready threads of at least that priority
 */
void ready_link(struct thread *thread, uint_fast8_t priority);

/* Takes a ready thread off the list.
 * cost      O(n) ready threads before it; none are before the running one
 */
void ready_remove(struct thread *thread);

/* The same for the running thread: the usual case inline, in which the next thread has no equals
 * and is not the idle one, which is followed by itself. */
static inline __attribute__((always_inline)) void ready_leave(struct thread *thread)
{
    struct kernel *state = kernel_state();
    struct thread *next = thread->next;
    uint8_t priority = next->priority;
    if (state->ready == thread && next->next->priority != priority) {
        state->ready = next;
        state->threshold = priority;
    } else {
        ready_remove(thread);
    }
}

/* Time slices of equals. In a program whose threads can never be equals, distinct.c stands in for
 * slice.c. */

/* Starts or resumes the slice of the first ready thread, if it has equals, and sets the threshold.
 * The idle thread has no equals. */
void slice_begin(void);

/* Stops the slice before another thread becomes the first, or when the first one loses its last
 * equal. */
void slice_interrupt(void);

/* The first thread is the same as before, and may have lost its equals, or got some. It is not the
 * idle thread, for another one was behind it. Its slice goes on meanwhile, so this work is charged
 * to it. */
void slice_check(void);

/* Inserts a thread where that concerns slices: the first thread's slice is interrupted, or it has
 * an equal now. Apart from ready_insert_behind, whose other cases would pay for it with registers.
 */
void slice_insert(struct thread *thread);

#endif
