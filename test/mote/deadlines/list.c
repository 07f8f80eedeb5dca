/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Several deadlines, compared with a plain table of what must come: armed in random order for
 * moments, for lengths, for the past, for the same tick, for ever, and cancelled, with arbitrarily
 * late readings and alarms.
 *
 * Laws: a deadline expires when a tick at or after it is known to have been reached, once and in
 * the order of ticks; nothing else expires. The alarm is set once for the first deadline, and not
 * again for a deadline that it precedes.
 */
#include <lichen/time.h>
#include <lichen/timer.h>

#include "exact.h"
#include "played_clock.h"
#include "random.h"
#include "test.h"

#define TIMERS 6u
#define STEPS  TRIES(4000u)

#define NEVER UINT64_MAX

/* What the kernel should know of each timer. */
enum state { OFF, UNREAD, LISTED };
static struct expected {
    enum state state;
    uint64_t tick; /* UNREAD: a length */
} expected[TIMERS];
static uint64_t alarm;
static unsigned alarms;

static uint8_t fired[TIMERS];
static unsigned firings;

static void fire(unsigned which)
{
    if (firings < TIMERS) {
        fired[firings] = (uint8_t)which;
    }
    firings++;
}

#define OWN_TIMER(which)                                                                           \
    EVENT(fires_##which)                                                                           \
    {                                                                                              \
        fire(which);                                                                               \
    }                                                                                              \
    TIMER(timer_##which, fires_##which);
OWN_TIMER(0)
OWN_TIMER(1)
OWN_TIMER(2)
OWN_TIMER(3)
OWN_TIMER(4)
OWN_TIMER(5)
static struct timer *const timers[TIMERS] = {&timer_0, &timer_1, &timer_2,
                                             &timer_3, &timer_4, &timer_5};

/* ---------------------------------------------------------------- what should be */
static void list(unsigned which, uint64_t tick)
{
    expected[which] = (struct expected){.state = LISTED, .tick = tick};
    if (tick < alarm) {
        alarm = tick;
        alarms++;
    }
}

/* Removes the timers that expire, and finds the next one. */
static void expect_expired(uint64_t reached)
{
    unsigned due = 0;
    alarm = NEVER;
    for (unsigned which = 0; which < TIMERS; which++) {
        if (expected[which].state == LISTED && expected[which].tick <= reached) {
            due++;
        } else if (expected[which].state == LISTED && expected[which].tick < alarm) {
            alarm = expected[which].tick;
        }
    }
    expect_equal(firings, due);
    uint64_t before = 0;
    for (unsigned index = 0; index < due; index++) {
        struct expected *one = &expected[fired[index]];
        expect(one->state == LISTED && one->tick <= reached && one->tick >= before);
        before = one->tick;
        one->state = OFF;
    }
    alarms += alarm != NEVER;
    firings = 0;
}

/* ---------------------------------------------------------------- what is done */
/* Near, far, past, never, and the same as another one. */
static uint64_t moment_us(void)
{
    uint64_t now_us = us_of(played.now);
    switch (random_below(6)) {
    case 0:
        return now_us + random_of(40);
    case 1:
        return now_us - random_of(30);
    case 2:
        return NEVER >> random_below(10);
    case 3:
        return us_of(expected[random_below(TIMERS)].tick);
    default:
        return now_us + random_below(100000);
    }
}

static void arm(unsigned which)
{
    uint64_t us = moment_us();
    bool is_free = expected[which].state == OFF;
    expect_equal(timer_arm(timers[which], us), is_free ? 0 : ERR_BUSY);
    if (is_free) {
        list(which, us <= LAST_US ? tick_of(us) : NEVER);
    }
}

static void arm_after(unsigned which)
{
    uint64_t us = random_of(28);
    bool is_free = expected[which].state == OFF;
    played.age = random_below(7);
    expect_equal(timer_arm_after(timers[which], us), is_free ? 0 : ERR_BUSY);
    if (is_free) {
        expected[which] = (struct expected){.state = UNREAD, .tick = tick_of(us) + played.age};
    }
}

static void cancel(unsigned which)
{
    bool is_free = expected[which].state == OFF;
    expect_equal(timer_cancel(timers[which]), is_free ? ERR_EMPTY : 0);
    expected[which].state = OFF;
}

/* The kernel may choose the order of the lengths that one reading serves, and how often it sets the
 * alarm for them. */
static void read_clock(void)
{
    played_reading(played.now);
    for (unsigned which = 0; which < TIMERS; which++) {
        if (expected[which].state == UNREAD) {
            list(which, expected[which].tick + played.now + 1);
        }
    }
    alarms = played.alarms;
}

/* Advances to the alarm or some time after it: the tick reported is the alarm's, or later. */
static void pass(void)
{
    uint64_t past = random_of(random_below(2) * 30);
    if (alarm > NEVER >> 12) {
        played.now += past;
        return;
    }
    played.now = (played.now > alarm ? played.now : alarm) + past;
    uint64_t reached = random_below(2) != 0 ? alarm : played.now;
    played_alarm(reached);
    expect_expired(reached);
}

static void step(void)
{
    unsigned which = random_below(TIMERS);
    switch (random_below(8)) {
    case 0:
    case 1:
        return arm(which);
    case 2:
    case 3:
        return arm_after(which);
    case 4:
        return cancel(which);
    case 5:
        return read_clock();
    default:
        return pass();
    }
}

TEST(deadlines_expire_when_they_are_reached_and_nothing_else_does)
{
    alarm = NEVER;
    alarms = played.alarms;
    for (unsigned i = 0; i < STEPS; i++) {
        step();
        expect_equal((int64_t)played.alarm, (int64_t)alarm);
        expect_equal(played.alarms, alarms);
    }
    for (unsigned which = 0; which < TIMERS; which++) {
        (void)timer_cancel(timers[which]);
    }
    played_alarm(played.alarm);
}

/* They fire in the order in which they were armed. */
TEST(equal_deadlines_expire_in_their_order)
{
    firings = 0;
    for (unsigned which = 0; which < TIMERS; which++) {
        expect_equal(timer_arm(timers[which], 15625), 0);
    }
    played_alarm(EXACT_TICKS);
    expect_equal(firings, TIMERS);
    for (unsigned which = 0; which < TIMERS; which++) {
        expect_equal(fired[which], which);
    }
}
