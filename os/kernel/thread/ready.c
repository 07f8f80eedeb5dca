/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The ready list, and turns among equals.
 *
 * The slice timer starts when the first two ready threads are equals, and stops when it finds that
 * they are not, or before idling. It is not restarted when the processor changes hands, which would
 * cost every switch; instead, a thread that the timer meets for the first time is let be, so
 * that a turn lasts between one slice and two. Threads that compute without waiting take exact
 * turns.
 *
 * The fast ways of switch.S put a thread first, or move the first behind its equals, by themselves.
 */
#include "kernel/thread/ready.h"

#include <stdbool.h>

#include <lichen/kernel.h>

#include "arch/arch.h"
#include "chip/chip.h"

/* 2^20 / 200: the cycles of 5 ms are the clock's hertz divided by 200, here to 1 in 5,000. A
 * division would take 280 bytes, a multiplication of 64 bits 90, and the kernel has no other use
 * for them. */
#define SLICE_FACTOR 5243u

static struct thread *slice_owner; /* whose turn it was when the timer last fired; 0: it stands */

/* `first` is the first ready thread; the idle thread has no equals. */
static inline bool turns_due(const struct thread *first)
{
    return first->priority != PRIORITY_IDLE && first->next->priority == first->priority;
}

static __attribute__((noinline)) void slices_begin(void)
{
    if (slice_owner == 0) {
        slice_owner = kernel.ready;
        arch_slice_start((chip_clock_hz() >> 8) * SLICE_FACTOR >> 12);
    }
}

static void slices_end(void)
{
    if (slice_owner != 0) {
        slice_owner = 0;
        arch_slice_stop();
    }
}

/* The first two are equals only if the new one is behind an equal. */
void ready_insert_behind(struct thread *thread, struct thread *before)
{
    unsigned priority = thread->priority;
    struct thread *other;
    while ((other = before->next)->priority >= priority) {
        before = other;
    }
    thread->next = other;
    before->next = thread;
    if (before->priority == priority && kernel.ready->priority == priority) {
        slices_begin();
    }
}

void ready_insert(struct thread *thread)
{
    ready_insert_inline(thread);
}

static void unlink_behind(struct thread *other, const struct thread *thread)
{
    while (other->next != thread) {
        other = other->next;
    }
    other->next = thread->next;
}

void ready_remove(struct thread *thread)
{
    struct kernel *state = kernel_state();
    struct thread *first = state->ready;
    if (first == thread) {
        first = thread->next;
        state->ready = first;
    } else {
        unlink_behind(first, thread);
    }
    if (turns_due(first)) {
        slices_begin();
    } else if (first->priority == PRIORITY_IDLE) {
        slices_end();
        arch_kernel_request(); /* to choose how deep to sleep, if nothing wakes a thread before */
    }
}

void ready_move(struct thread *thread, unsigned priority)
{
    ready_remove(thread);
    thread->priority = (uint8_t)priority;
    ready_insert(thread);
}

void kernel_slice(void)
{
    struct thread *first = kernel.ready;
    if (!turns_due(first)) {
        slices_end();
        return;
    }
    if (slice_owner == first) {
        kernel.ready = first->next;
        ready_insert_behind(first, first->next);
        arch_kernel_request();
    }
    slice_owner = kernel.ready;
}
