/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Timers that fire once: deadlines that post events. */
#include "kernel/time/timer.h"

#include <lichen/kernel.h>

static void post(struct deadline *passed)
{
    event_post(timer_of(passed)->event);
}

static int arm(void *argument)
{
    const struct timer_call *call = argument;
    return timer_insert(call->timer, call->tick, post, DEADLINE_NEVER);
}

/* One reading of the clock serves both for the deadline and for setting the alarm. The tick that is
 * running now counts as passed: it may be nearly over. */
static int arm_after(void *argument)
{
    const struct timer_call *call = argument;
    uint64_t now = deadline_now();
    uint64_t tick = call->tick == DEADLINE_NEVER ? DEADLINE_NEVER : now + 1 + call->tick;
    return timer_insert(call->timer, tick, post, now);
}

int timer_insert(struct timer *timer, uint64_t tick, void (*expire)(struct deadline *passed),
                 uint64_t latest)
{
    if (timer->deadline.expire != 0) {
        return ERR_BUSY;
    }
    timer->deadline.tick = tick;
    deadline_insert(&timer->deadline, expire, latest);
    return 0;
}

int timer_arm(struct timer *timer, uint64_t deadline)
{
    struct timer_call call = {.timer = timer, .tick = deadline_of_us(deadline)};
    return kernel_run(arm, &call);
}

int timer_arm_after(struct timer *timer, uint64_t delay_us)
{
    struct timer_call call = {.timer = timer, .tick = deadline_of_us(delay_us)};
    return kernel_run(arm_after, &call);
}
