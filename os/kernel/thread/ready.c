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

#define SLICES_PER_SECOND 200u /* 5 ms */

static bool slicing;
static struct thread *slice_owner; /* who had its turn when the timer last fired */

static inline bool turns_due(void)
{
    const struct thread *first = kernel.ready;
    return first->next != 0 && first->next->priority == first->priority;
}

static void slices_begin(void)
{
    if (!slicing) {
        slicing = true;
        slice_owner = kernel.ready;
        arch_slice_start(chip_clock_hz() / SLICES_PER_SECOND);
    }
}

static void slices_end(void)
{
    if (slicing) {
        slicing = false;
        arch_slice_stop();
    }
}

/* Inlined: each call would cost half of what it does. */
static inline __attribute__((always_inline)) void insert(struct thread *thread)
{
    struct thread **link = &kernel.ready;
    while ((*link)->priority >= thread->priority) {
        link = &(*link)->next;
    }
    thread->next = *link;
    *link = thread;
}

void ready_insert_behind(struct thread *thread)
{
    insert(thread);
    if (kernel.ready->priority == thread->priority) {
        slices_begin();
    }
}

static void unlink(const struct thread *thread)
{
    struct thread **link = &kernel.ready;
    while (*link != thread) {
        link = &(*link)->next;
    }
    *link = thread->next;
}

void ready_move(struct thread *thread, uint8_t priority)
{
    unlink(thread);
    thread->priority = priority;
    insert(thread);
    if (turns_due()) {
        slices_begin();
    }
}

void ready_remove(struct thread *thread)
{
    unlink(thread);
    if (kernel.ready->priority == PRIORITY_IDLE) {
        slices_end();
        arch_kernel_request(); /* to choose how deep to sleep, if nothing wakes a thread before */
    } else if (turns_due()) {
        slices_begin();
    }
}

void kernel_slice(void)
{
    struct thread *first = kernel.ready;
    if (!turns_due()) {
        slices_end();
        return;
    }
    if (slice_owner == first) {
        kernel.ready = first->next;
        insert(first);
        arch_kernel_request();
    }
    slice_owner = kernel.ready;
}
