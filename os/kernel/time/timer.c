/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Timers: deadlines that post events. */
#include <lichen/timer.h>

#include "arch/arch.h"
#include "kernel/time/deadline.h"

struct arm_call {
    struct timer *timer;
    uint64_t tick;
};

static void post(struct deadline *passed)
{
    struct timer *timer = (struct timer *)passed;
    event_post(timer->event);
}
_Static_assert(offsetof(struct timer, deadline) == 0, "a timer begins with its deadline");

static int arm(void *argument)
{
    const struct arm_call *call = argument;
    if (call->timer->deadline.expire != 0) {
        return ERR_BUSY;
    }
    call->timer->deadline.tick = call->tick;
    deadline_insert(&call->timer->deadline, post, DEADLINE_NEVER);
    return 0;
}

static int cancel(void *argument)
{
    struct timer *timer = argument;
    if (timer->deadline.expire == 0) {
        return ERR_EMPTY;
    }
    deadline_remove(&timer->deadline);
    return 0;
}

int timer_arm(struct timer *timer, uint64_t deadline)
{
    struct arm_call call = {.timer = timer, .tick = deadline_of_us(deadline)};
    return arch_in_thread() ? arch_kernel_call(arm, &call) : arm(&call);
}

int timer_cancel(struct timer *timer)
{
    return arch_in_thread() ? arch_kernel_call(cancel, timer) : cancel(timer);
}
