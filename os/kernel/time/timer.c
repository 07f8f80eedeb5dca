/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Timers that fire once: deadlines that post events. */
#include "kernel/time/time.h"

#include <stdbool.h>

#include <lichen/kernel.h>

#include "kernel/event/event.h"

static void post(struct deadline *passed, const uint64_t *reached)
{
    (void)reached;
    event_post_service(timer_of(passed)->event);
}

static int arm(void *argument)
{
    const struct timer_call *call = argument;
    return timer_insert(call, post, deadline_insert);
}

static int arm_after(void *argument)
{
    const struct timer_call *call = argument;
    bool ends = call->tick != DEADLINE_NEVER;
    return timer_insert(call, post, ends ? deadline_insert_after : deadline_insert);
}

int timer_insert(const struct timer_call *call, deadline_fn *expire,
                 void (*insert)(struct deadline *deadline, deadline_fn *expire))
{
    struct deadline *deadline = &call->timer->deadline;
    if (deadline->expire != 0) {
        return ERR_BUSY;
    }
    arch_u64_copy(&deadline->tick, &call->tick);
    insert(deadline, expire);
    return 0;
}

int timer_arm(struct timer *timer, uint64_t deadline)
{
    struct timer_call call = {.timer = timer, .tick = deadline_of_us(deadline)};
    return kernel_run(arm, &call);
}

int timer_arm_after_ticks(struct timer *timer, uint64_t ticks)
{
    struct timer_call call = {.timer = timer, .tick = ticks};
    return kernel_run(arm_after, &call);
}

int timer_arm_after_converted(struct timer *timer, uint64_t delay_us)
{
    return timer_arm_after_ticks(timer, deadline_of_us(delay_us));
}
