/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A periodic timer that fires some times while the mote is idle, two that are armed for a length of
 * time and share a reading of the clock, one that is armed for the past, and one that is armed for
 * later than any run lasts.
 *
 * Laws: if two actors arm a timer, the second is told that it is busy; a periodic timer fires again
 * and again until it is cancelled, never before its moment, and its next moment is the first one
 * plus whole periods, however often it has fired; after it was cancelled, only a post that was
 * already pending still runs; the others fire once or were cancelled, not too early; the one for
 * later is still armed, and its tick is unchanged.
 */
#include <lichen/event.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "kernel/time/time.h"
#include "../kernel/operations.h"
#include "alarm.h"
#include "timers.h"

#define FIRST_US    3900u /* before `soon`: the first moment, which is before the wrap */
#define DELAY_US    2000u
#define SHARED_US   2700u
#define PAST_US     5000u /* before `soon` */
#define LATER_US    30000000u
#define TIMES       3u    /* at least this often, unless an actor cancels */
#define ROW_LENGTH  16u   /* longer than any run lasts, in periods */
#define PREPARED_US 4000u /* before `soon`, at least: nothing was armed yet */

enum which { PERIODIC = 0, ONCE, SHARED, PAST, TIMERS };

static uint64_t due;                                     /* the periodic timer's first moment */
static volatile uint8_t armed[TIMERS][FORCE_ACTORS + 1]; /* by actor, and the conductor */
static volatile uint8_t cancelled[TIMERS][FORCE_ACTORS + 1];
static volatile uint8_t fired[TIMERS];
static volatile uint8_t fired_before[FORCE_ACTORS + 1]; /* firings when an actor had cancelled */

static inline void fire(enum which which)
{
    fired[which]++;
    over();
}

EVENT(fires_periodically)
{
    fire(PERIODIC);
}
TIMER(periodic, fires_periodically);

EVENT(fires_once)
{
    fire(ONCE);
}
TIMER(once, fires_once);

EVENT(fires_shared)
{
    fire(SHARED);
}
TIMER(shared, fires_shared);

EVENT(fires_at_once)
{
    fire(PAST);
}
TIMER(past, fires_at_once);

EVENT(fires_much_later)
{
    force_seen("later than any run lasts");
}
TIMER(later, fires_much_later);
static uint64_t later_tick;

static unsigned sum(const volatile uint8_t *values)
{
    unsigned all = 0;
    for (unsigned actor = 0; actor <= FORCE_ACTORS; actor++) {
        all += values[actor];
    }
    return all;
}

static void every(unsigned actor)
{
    int error = timer_arm_every(&periodic, due, PERIOD_US);
    force_expect(error == 0 || error == ERR_BUSY);
    armed[PERIODIC][actor] = error == 0;
}

static void note(unsigned actor, enum which which, int error)
{
    force_expect(error == 0 || error == ERR_BUSY);
    armed[which][actor] += error == 0;
}

static void after(unsigned actor)
{
    note(actor, ONCE, timer_arm_after(&once, DELAY_US));
    note(actor, SHARED, timer_arm_after(&shared, SHARED_US));
}

static void stop_one(unsigned actor, enum which which, struct timer *timer)
{
    int error = timer_cancel(timer);
    force_expect(error == 0 || error == ERR_EMPTY);
    cancelled[which][actor] = error == 0;
}

static void stop(unsigned actor)
{
    stop_one(actor, PERIODIC, &periodic);
    fired_before[actor] = fired[PERIODIC];
    stop_one(actor, ONCE, &once);
    stop_one(actor, SHARED, &shared);
    note(actor, PAST, timer_arm(&past, soon - PAST_US));
    over();
}

/* As after earlier periods, which ended in the middle of a tick. */
static void use_before(void)
{
    force_expect(timer_arm_every(&periodic, time_now_us(), PERIOD_US) == 0);
    for (fired[PERIODIC] = 0; fired[PERIODIC] == 0;) {
        over_wait();
    }
    force_expect(timer_cancel(&periodic) == 0);
    force_expect(periodic.credit != 0);
}

/* If the stretch cancels, there is something to cancel. */
static void prepare(void)
{
    use_before();
    for (unsigned which = 0; which < TIMERS; which++) {
        fired[which] = 0;
        for (unsigned actor = 0; actor <= FORCE_ACTORS; actor++) {
            armed[which][actor] = 0;
            cancelled[which][actor] = 0;
        }
    }
    soon_prepare();
    due = soon - FIRST_US;
    force_expect(timer_arm(&later, soon + LATER_US) == 0);
    later_tick = later.deadline.tick;
    if (force_acts(FORCE_STRETCH, &operation_stop)) {
        every(FORCE_CONDUCTOR);
        after(FORCE_CONDUCTOR);
    }
}

static bool is_armed(enum which which)
{
    unsigned gone = sum(cancelled[which]) + (which != PERIODIC ? fired[which] : 0);
    return sum(armed[which]) > gone;
}

/* Lets the timers fire, and stops the periodic one when it has fired often enough. */
static bool settle(void)
{
    if (is_armed(PERIODIC) && fired[PERIODIC] >= TIMES) {
        int error = timer_cancel(&periodic);
        force_expect(error == 0 || error == ERR_EMPTY);
        fired_before[FORCE_CONDUCTOR] = fired[PERIODIC];
        cancelled[PERIODIC][FORCE_CONDUCTOR] += error == 0;
        return true;
    }
    if (is_armed(PERIODIC) || is_armed(ONCE) || is_armed(SHARED) || is_armed(PAST)) {
        over_wait();
        return true;
    }
    return false;
}

/* Its next moment is the first one plus whole periods, at least one for each time that it fired. */
static bool is_in_row(void)
{
    uint64_t first = deadline_of_us(due);
    for (unsigned periods = fired[PERIODIC]; periods < ROW_LENGTH; periods++) {
        if (periodic.deadline.tick == first + deadline_of_us((uint32_t)periods * PERIOD_US)) {
            return true;
        }
    }
    return false;
}

static void check_periodic(void)
{
    unsigned armings = sum(armed[PERIODIC]);
    force_expect(sum(cancelled[PERIODIC]) == armings);
    force_expect(armings > 0 || fired[PERIODIC] == 0);
    force_expect(periodic.deadline.expire == 0);
    if (armings == 1) {
        force_expect(is_in_row());
        force_expect(fired[PERIODIC] == 0 ||
                     time_now_us() >= due + (uint32_t)(fired[PERIODIC] - 1u) * PERIOD_US);
    }
    for (unsigned actor = 0; actor <= FORCE_ACTORS && armings == 1; actor++) {
        force_expect(!cancelled[PERIODIC][actor] || fired[PERIODIC] <= fired_before[actor] + 1);
    }
    force_check_event(&fires_periodically);
}

static void check_once(enum which which, const struct timer *timer, uint32_t us)
{
    force_expect(sum(armed[which]) == sum(cancelled[which]) + fired[which]);
    force_expect(timer->deadline.expire == 0);
    force_expect(fired[which] == 0 || time_now_us() >= soon - PREPARED_US + us);
}

static void check(void)
{
    check_periodic();
    check_once(ONCE, &once, DELAY_US);
    check_once(SHARED, &shared, SHARED_US);
    check_once(PAST, &past, 0);
    force_expect(later.deadline.tick == later_tick);
    force_expect(timer_cancel(&later) == 0);
    force_check_event(&fires_once);
    force_check_event(&fires_shared);
    force_check_event(&fires_at_once);
    force_check_event(&fires_much_later);
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

const struct force_operation operation_every = {
    .name = "every", .object = &object, .in_thread = every, .in_event = every};
const struct force_operation operation_after = {
    .name = "after", .object = &object, .in_thread = after, .in_event = after};
const struct force_operation operation_stop = {
    .name = "stop", .object = &object, .in_thread = stop, .in_event = stop};
