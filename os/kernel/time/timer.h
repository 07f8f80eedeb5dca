/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the calls that arm a timer share. At the kernel level. */
#ifndef KERNEL_TIME_TIMER_H
#define KERNEL_TIME_TIMER_H

#include <stddef.h>

#include <lichen/timer.h>

#include "kernel/time/deadline.h"

/* A call to arm a timer, on its way to the kernel level. */
struct timer_call {
    struct timer *timer;
    uint64_t tick; /* a moment or a length */
};

_Static_assert(offsetof(struct timer, deadline) == 0, "a timer begins with its deadline");
static inline struct timer *timer_of(struct deadline *deadline)
{
    return (struct timer *)deadline;
}

/* Inserts a timer into the list of deadlines.
 * insert    deadline_insert for an absolute time, deadline_insert_after for a relative one
 * returns   0, or ERR_BUSY if it is there
 * context   event
 */
int timer_insert(const struct timer_call *call, deadline_fn *expire,
                 void (*insert)(struct deadline *deadline, deadline_fn *expire));

#endif
