/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Makes the clock fast before a thread continues, in programs that request it: in place of the
 * function of ready.c (os/features.cmake).
 */
#include <lichen/kernel.h>
#include <lichen/thread.h>

#include "chip/chip.h"
#include "kernel/thread/ready.h"

/* os/kernel/power/clock.c names it, which links this file. */
extern const uint8_t ready_fast;
const uint8_t ready_fast = 0;

/* Absent in programs without threads, which never call this. */
#pragma weak ready_insert_others

/* The idle thread is the first while all wait. The change of the clock leaves its threshold. */
void ready_insert_fast(struct thread *thread, struct thread *first, uint_fast8_t priority,
                       uint_fast8_t threshold)
{
    if (threshold == KERNEL_WAITS_SLOWLY) {
        chip_clock_set(CHIP_CLOCK_FAST);
        kernel.threshold = (uint8_t)priority;
        thread->next = first;
        kernel.ready = thread;
    } else {
        ready_insert_others(thread, first, priority, threshold);
    }
}
