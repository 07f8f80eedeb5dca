/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A timer that is armed and cancelled, a later one that is armed with it, and threads that sleep.
 * Armed timers fire within the run, also while the mote is idle.
 *
 * Laws: a timer that was armed fires once or was cancelled, and never fires before its deadline; a
 * thread that sleeps waits, and returns, not too early.
 */
#include <lichen/event.h>
#include <lichen/notify.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "chip/chip.h"
#include "operations.h"

#define SOON_US  4000u
#define LATER_US 2000u
#define SLEEP_US 3000u /* so far ahead that the alarm is set without reading the clock */

/* When stretches that concern time begin, shortly before the tick's counter wraps, and how long
 * before that the program waits for the host's choice. */
#define BEGIN_US (COUNTER_WRAPS_US - 1000)
#define START_US 3000u

uint64_t soon;

extern struct thread force_stretch;

NOTIFY(is_over);

static uint64_t due;                             /* the timer's deadline */
static volatile uint8_t armed[FORCE_ACTORS + 1]; /* by actor, and the conductor */
static volatile uint8_t cancelled[FORCE_ACTORS];
static volatile uint8_t sleeps[FORCE_ACTORS]; /* at present */
static volatile uint8_t slept;                /* some actor has slept */
static volatile uint8_t fired;
static volatile uint8_t armed_later[FORCE_ACTORS + 1];
static volatile uint8_t fired_later;

EVENT(fires)
{
    fired++;
    over();
}
TIMER(timer, fires);

/* Armed with the first one, for a later deadline. */
EVENT(fires_later)
{
    fired_later++;
    over();
}
TIMER(timer_later, fires_later);

/* On the SAM R21 asleep for 36 hours, with an alarm every 9. */
void force_start(void)
{
    sleep_until_us(BEGIN_US - START_US);
    force_expect(time_now_us() >= BEGIN_US - START_US);
}

void soon_prepare(void)
{
    static unsigned prepared;                       /* in which round */
    force_expect(chip_clock_hz() == SLOW_CLOCK_HZ); /* INIT ran: kernel.c */
    if (prepared != force_round) {
        prepared = force_round;
        sleep_until_us(BEGIN_US); /* at once in a second round */
        soon = time_now_us() + SOON_US;
    }
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
    error = timer_arm(&timer_later, due + LATER_US);
    force_expect(error == 0 || error == ERR_BUSY);
    armed_later[actor] = error == 0;
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
    slept = 1;
    over();
}

/* If the stretch cancels, there is something to cancel. */
static void prepare(void)
{
    fired = 0;
    slept = 0;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        armed[actor] = 0;
        cancelled[actor] = 0;
        sleeps[actor] = 0;
        armed_later[actor] = 0;
    }
    fired_later = 0;
    armed_later[FORCE_CONDUCTOR] = 0;
    armed[FORCE_CONDUCTOR] = 0;
    soon_prepare();
    due = soon;
    if (force_acts(FORCE_STRETCH, &operation_cancel)) {
        arm(FORCE_CONDUCTOR);
    }
}

static int to_fire(void)
{
    int count = armed[FORCE_CONDUCTOR] - fired + armed_later[FORCE_CONDUCTOR] - fired_later;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        count += armed[actor] - cancelled[actor] + armed_later[actor];
    }
    return count;
}

static bool settle(void)
{
    bool waits = to_fire() > 0;
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        waits |= sleeps[actor] != 0;
    }
    force_expect(!sleeps[FORCE_STRETCH] || force_stretch.state == THREAD_WAITING);
    if (waits) {
        over_wait();
    }
    return waits;
}

static void check(void)
{
    force_expect(to_fire() == 0);
    force_expect(fired == 0 || time_now_us() >= due);
    force_expect(fired_later == 0 || time_now_us() >= due + LATER_US);
    force_expect(slept == 0 || time_now_us() >= due - SOON_US + SLEEP_US);
    force_expect(timer.deadline.expire == 0 && timer_later.deadline.expire == 0);
    force_check_event(&fires_later);
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
