/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The ready list, and turns among equals.
 *
 * The slice timer runs only while the first two ready threads are equals. It is not restarted when
 * the processor changes hands, which would cost every switch; instead, a
 * thread that the timer meets for the first time is let be, so that a turn lasts one slice or up to
 * two. Threads that compute without waiting take exact turns.
 *
 * The fast ways of switch.S put a thread first, or move the first behind its equals, by themselves.
 */
#include "kernel/thread/ready.h"

#include <stdbool.h>

#include <lichen/kernel.h>

#include "arch/arch.h"
#include "chip/chip.h"
#include "kernel/power/power.h"

#define SLICES_PER_SECOND 200u /* 5 ms */

static bool slicing;
static struct thread *slice_owner; /* who had its turn when the timer last fired */

static bool turns_due(void)
{
    const struct thread *first = kernel.ready;
    return first->next != 0 && first->next->priority == first->priority;
}

static void slice_update(void)
{
    bool due = turns_due();
    if (due == slicing) {
        return;
    }
    slicing = due;
    if (due) {
        slice_owner = kernel.ready;
        arch_slice_start(chip_clock_hz() / SLICES_PER_SECOND);
    } else {
        arch_slice_stop();
    }
}

static void insert(struct thread *thread)
{
    struct thread **link = &kernel.ready;
    while ((*link)->priority >= thread->priority) {
        link = &(*link)->next;
    }
    thread->next = *link;
    *link = thread;
}

void ready_insert(struct thread *thread)
{
    thread->state = THREAD_READY;
    insert(thread);
    if (kernel.ready->priority == thread->priority) {
        slice_update();
    }
}

void ready_remove(struct thread *thread)
{
    struct thread **link = &kernel.ready;
    while (*link != thread) {
        link = &(*link)->next;
    }
    *link = thread->next;
    slice_update();
    if (kernel.ready->priority == PRIORITY_IDLE) {
        power_prepare();
    }
}

void kernel_slice(void)
{
    struct thread *first = kernel.ready;
    if (turns_due() && slice_owner == first) {
        kernel.ready = first->next;
        insert(first);
        arch_kernel_request();
    }
    slice_owner = kernel.ready;
    slice_update();
}
