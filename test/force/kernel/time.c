/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One timer that is armed and cancelled, and threads that sleep. What is armed fires within the
 * run, also while the mote idles.
 *
 * Laws: a timer that was armed fires once or was cancelled; never before its deadline; who sleeps
 * comes back.
 */
#include <lichen/event.h>
#include <lichen/notify.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "operations.h"

#define SOON_US  4000u
#define SLEEP_US 3000u /* so far ahead that the alarm is set without asking the clock */

uint64_t soon;

NOTIFY(is_over);

static uint64_t due;                             /* the timer's deadline */
static volatile uint8_t armed[FORCE_ACTORS + 1]; /* by actor, and the conductor */
static volatile uint8_t cancelled[FORCE_ACTORS];
static volatile uint8_t sleeps[FORCE_ACTORS]; /* at present */
static volatile uint8_t fired;

EVENT(fires)
{
    fired++;
    over();
}
TIMER(timer, fires);

void soon_prepare(void)
{
    soon = time_now_us() + SOON_US;
}

void over_wait(void)
{
    notify_wait(&is_over);
}

void over(void)
{
    notify_post(&is_over);
}

static void arm(unsigned actor)
{
    int error = timer_arm(&timer, due);
    force_expect(error == 0 || error == ERR_BUSY);
    armed[actor] = error == 0;
}

static void cancel(unsigned actor)
{
    int error = timer_cancel(&timer);
    force_expect(error == 0 || error == ERR_EMPTY);
    cancelled[actor] = error == 0;
    over();
}

static void sleep(unsigned actor)
{
    sleeps[actor] = 1;
    sleep_us(SLEEP_US);
    sleeps[actor] = 0;
    over();
}

/* A stretch that cancels has something to cancel. */
static void prepare(void)
{
    fired = 0;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        armed[actor] = 0;
        cancelled[actor] = 0;
        sleeps[actor] = 0;
    }
    armed[FORCE_CONDUCTOR] = 0;
    soon_prepare();
    due = soon;
    if (force_acts(FORCE_STRETCH, &operation_cancel)) {
        arm(FORCE_CONDUCTOR);
    }
}

static int to_fire(void)
{
    int count = armed[FORCE_CONDUCTOR] - fired;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        count += armed[actor] - cancelled[actor];
    }
    return count;
}

static bool settle(void)
{
    bool waits = to_fire() > 0;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        waits |= sleeps[actor] != 0;
    }
    if (waits) {
        over_wait();
    }
    return waits;
}

static void check(void)
{
    force_expect(to_fire() == 0);
    force_expect(fired == 0 || time_now_us() >= due);
    force_expect(timer.deadline.expire == 0);
    force_check_event(&fires);
    force_check_event(&is_over.event);
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

const struct force_operation operation_arm = {
    .name = "arm", .object = &object, .in_thread = arm, .in_event = arm};
const struct force_operation operation_cancel = {
    .name = "cancel", .object = &object, .in_thread = cancel, .in_event = cancel};
const struct force_operation operation_sleep = {
    .name = "sleep", .object = &object, .in_thread = sleep};
