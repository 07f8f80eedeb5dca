/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Three timers that are armed together, for lengths that each count from the timer's own call
 * although one reading of the clock serves them all, and a thread that sleeps.
 *
 * Laws: each fires once, never before its length has passed, and at most some ticks after that or,
 * if an actor took long, after that actor was through. A thread that takes long delays threads, but
 * no timer.
 */
#include <lichen/event.h>
#include <lichen/notify.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "long.h"
#include "reference.h"

#define TIMERS 3u
#define OWNERS 2u /* the stretch, and an interrupt */

/* Microseconds: a length whose end is awaited by readings of the clock, a longer one, and one
 * longer than 70 ms. */
static const uint32_t lengths[TIMERS] = {250, 15625, 93750};
#define SLEEP_US 15625u

/* A timer or a thread that waits for a time. */
struct waiting {
    uint64_t before; /* the call */
    uint64_t after;
    uint64_t over;
    volatile uint8_t began;
    volatile uint8_t ended;
};
static struct waiting timers[OWNERS][TIMERS];
static struct waiting sleeps[FORCE_ACTORS];

NOTIFY(something_ended);

static void end(struct waiting *one)
{
    one->over = reference_now();
    one->ended++;
    notify_post(&something_ended);
}

#define OWN_TIMER(owner, which)                                                                    \
    EVENT(fires_##owner##_##which)                                                                 \
    {                                                                                              \
        end(&timers[owner][which]);                                                                \
    }                                                                                              \
    TIMER(timer_##owner##_##which, fires_##owner##_##which);
OWN_TIMER(0, 0)
OWN_TIMER(0, 1)
OWN_TIMER(0, 2)
OWN_TIMER(1, 0)
OWN_TIMER(1, 1)
OWN_TIMER(1, 2)
static struct timer *const own_timers[OWNERS][TIMERS] = {
    {&timer_0_0, &timer_0_1, &timer_0_2},
    {&timer_1_0, &timer_1_1, &timer_1_2},
};

static void arm(unsigned actor)
{
    unsigned owner = actor != FORCE_STRETCH;
    for (unsigned which = 0; which < TIMERS; which++) {
        struct waiting *one = &timers[owner][which];
        one->before = reference_now();
        force_expect(timer_arm_after(own_timers[owner][which], lengths[which]) == 0);
        one->after = reference_now();
        one->began = 1;
    }
}

static void sleep(unsigned actor)
{
    struct waiting *one = &sleeps[actor];
    one->before = reference_now();
    one->began = 1;
    sleep_us(SLEEP_US);
    end(one);
}

static void prepare(void)
{
    for (unsigned owner = 0; owner < OWNERS; owner++) {
        for (unsigned which = 0; which < TIMERS; which++) {
            timers[owner][which] = (struct waiting){0};
        }
    }
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        sleeps[actor] = (struct waiting){0};
    }
    moment_prepare();
}

static bool somebody_waits(void)
{
    bool any = false;
    for (unsigned owner = 0; owner < OWNERS; owner++) {
        for (unsigned which = 0; which < TIMERS; which++) {
            any |= timers[owner][which].began && !timers[owner][which].ended;
        }
    }
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        any |= sleeps[actor].began && !sleeps[actor].ended;
    }
    return any;
}

static bool settle(void)
{
    if (!somebody_waits()) {
        return false;
    }
    notify_wait(&something_ended);
    return true;
}

static uint64_t later(uint64_t one, uint64_t other)
{
    return one > other ? one : other;
}

static void check_waiting(const struct waiting *one, uint64_t ticks, uint64_t free)
{
    force_expect(one->ended == one->began);
    if (one->ended) {
        force_expect(one->over >= one->before + ticks);
        force_expect(one->over <= later(one->after + ticks, free) + LATE_TICKS);
    }
}

/* Only the kernel knows when a sleep began that was interrupted as it was set up. */
static void check_sleep(struct waiting *one)
{
    one->after = later(one->before, later(free_of_handlers, free_of_threads));
    check_waiting(one, TICKS_OF_US(SLEEP_US), 0);
}

/* A handler that comes while the alarm is being set, before the clock could be read, makes a length
 * longer (lichen/time.h). */
static void check_timer(struct waiting *one, uint32_t us)
{
    if (held_from >= one->before && held_from <= one->after + SETTING_TICKS) {
        one->after = later(one->after, free_of_handlers);
    }
    check_waiting(one, TICKS_OF_US(us), free_of_handlers);
}

static void check(void)
{
    for (unsigned owner = 0; owner < OWNERS; owner++) {
        for (unsigned which = 0; which < TIMERS; which++) {
            check_timer(&timers[owner][which], lengths[which]);
            force_expect(own_timers[owner][which]->deadline.expire == 0);
        }
    }
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        check_sleep(&sleeps[actor]);
    }
    if (something_ended.waiter == NOTIFY_SET) {
        notify_wait(&something_ended); /* for the next run: at once */
    }
    force_check_event(&something_ended.event);
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

const struct force_operation operation_arm = {
    .name = "arm", .object = &object, .in_thread = arm, .in_event = arm};
const struct force_operation operation_sleep = {
    .name = "sleep", .object = &object, .in_thread = sleep};
