/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Periodic timers.
 *
 * A period of whole microseconds is not a whole number of ticks. It is rounded up, and the excess
 * is accumulated in ticks / 15,625, which is exact; when the sum reaches a tick, a period is one
 * tick shorter. So the n-th deadline is the first one plus n periods, rounded up once, for ever.
 */
#include "kernel/time/time.h"

#include <lichen/kernel.h>

#include "kernel/event/event.h"

_Static_assert(TIMER_PERIOD_MAX_US / TIME_PARTS_PER_TICK * TIME_PARTS_PER_US < UINT32_MAX,
               "a period in ticks has 32 bits");

/* Advances by some periods, of the given ticks and excess in total. */
static void go_on(struct timer *timer, uint64_t ticks, uint32_t excess)
{
    uint32_t credit = timer->credit + excess;
    timer->deadline.tick += ticks;
    if (credit >= TIME_PARTS_PER_TICK) {
        credit -= TIME_PARTS_PER_TICK;
        timer->deadline.tick--;
    }
    timer->credit = (uint16_t)credit;
}

/* Advances by one period, as a rule; after a delay at the kernel level, by 1, 2, 4 and so on while
 * these are past. A deadline that is still past then expires once more. */
static void go_beyond(struct timer *timer, uint64_t reached)
{
    uint64_t ticks = timer->period_ticks;
    uint32_t excess = timer->excess;
    go_on(timer, ticks, excess);
    while (timer->deadline.tick + ticks <= reached) {
        go_on(timer, ticks, excess);
        ticks += ticks;
        excess += excess;
        if (excess >= TIME_PARTS_PER_TICK) {
            excess -= TIME_PARTS_PER_TICK;
            ticks--;
        }
    }
}

static void post_and_go_on(struct deadline *passed, const uint64_t *reached)
{
    struct timer *timer = timer_of(passed);
    event_post_service(timer->event);
    go_beyond(timer, *reached);
    deadline_insert(passed, post_and_go_on);
}

struct every_call {
    struct timer_call arm;
    uint64_t period_us;
};

static int arm_every(void *argument)
{
    const struct every_call *call = argument;
    struct timer *timer = call->arm.timer;
    int error = timer_insert(&call->arm, post_and_go_on, deadline_insert);
    if (error == 0) {
        uint32_t ticks = (uint32_t)deadline_of_us(call->period_us);
        timer->period_ticks = ticks;
        timer->excess =
            (uint16_t)(ticks * TIME_PARTS_PER_TICK - (uint32_t)call->period_us * TIME_PARTS_PER_US);
        timer->credit = 0;
    }
    return error;
}

int timer_arm_every(struct timer *timer, uint64_t first, uint64_t period_us)
{
    if (period_us < TIMER_PERIOD_MIN_US || period_us > TIMER_PERIOD_MAX_US) {
        return ERR_INVALID;
    }
    struct every_call call = {.arm = {.timer = timer, .tick = deadline_of_us(first)},
                              .period_us = period_us};
    return kernel_run(arm_every, &call);
}
