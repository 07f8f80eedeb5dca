/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Timers at random: six of them are armed and cancelled, the thread sleeps, the processor's clock
 * changes and the counter goes past its wraps, in any order. None fires early, none later than
 * stated, none that is cancelled, and none is lost. The program says how many STEPS there are, and
 * whether the counter JUMPS.
 */
#include <stdbool.h>

#include <lichen/alarm.h>
#include <lichen/event.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "disturb.h"
#include "late.h"
#include "test.h"

enum {
    TIMERS = 6,
    STEPS_BETWEEN_JUMPS = 200,
    LONGEST_BITS = 16, /* of microseconds */
};

/* Each event, and the thread, reads the clock, twice at worst after an alarm was set. */
#define SLACK_US (LATE_US + (TIMERS + 2) * 2 * READING_US)

static struct {
    bool is_armed;
    uint64_t due; /* us */
    uint64_t latest;
} state[TIMERS];

static volatile unsigned early, late, unasked;
static volatile uint32_t fired;

static void fires(unsigned number)
{
    uint64_t now = time_now_us();
    early += now < state[number].due;
    late += now > state[number].latest;
    unasked += !state[number].is_armed;
    state[number].is_armed = false;
    fired++;
}

#define RANDOM_TIMER(number)                                                                       \
    EVENT(fires_##number)                                                                          \
    {                                                                                              \
        fires(number);                                                                             \
    }                                                                                              \
    TIMER(timer_##number, fires_##number)
RANDOM_TIMER(0);
RANDOM_TIMER(1);
RANDOM_TIMER(2);
RANDOM_TIMER(3);
RANDOM_TIMER(4);
RANDOM_TIMER(5);

static struct timer *const timers[TIMERS] = {&timer_0, &timer_1, &timer_2,
                                             &timer_3, &timer_4, &timer_5};

/* Marsaglia's xorshift of 32 bits. */
static uint32_t random_number(void)
{
    static uint32_t number = 2463534242u;
    number ^= number << 13;
    number ^= number >> 17;
    number ^= number << 5;
    return number;
}

/* Below 2^LONGEST_BITS; short ones are as frequent as long ones. */
static uint32_t random_us(void)
{
    return random_number() >> (32 - LONGEST_BITS) >> random_number() % LONGEST_BITS;
}

/* What the event compares with is noted before: it may run before the call returns. */
static void arm(unsigned number, bool relative, uint32_t us)
{
    if (state[number].is_armed) {
        return;
    }
    uint64_t now = time_now_us();
    bool past = !relative && random_number() % 8 == 0;
    state[number].due = past ? now - us : now + us;
    state[number].latest = now + (past ? 0 : us) + SLACK_US;
    state[number].is_armed = true;
    int error = relative ? timer_arm_after(timers[number], us)
                         : timer_arm(timers[number], state[number].due);
    expect_equal(error, 0);
}

static void cancel(unsigned number)
{
    int error = timer_cancel(timers[number]);
    if (error == 0) {
        expect(state[number].is_armed);
        state[number].is_armed = false;
    } else {
        expect_equal(error, ERR_EMPTY);
        expect(!state[number].is_armed);
    }
}

static void sleep(uint32_t us, bool until)
{
    uint64_t before = time_now_us();
    if (until) {
        sleep_until_us(before + us);
    } else {
        sleep_us(us);
    }
    uint64_t slept = time_now_us() - before;
    expect(slept >= us);
    expect(slept <= us + SLACK_US);
}

static void jump(void)
{
    for (unsigned number = 0; number < TIMERS; number++) {
        cancel(number);
    }
    sleep_us(UINT32_C(2) << LONGEST_BITS); /* no alarm is left */
    if (JUMPS) { /* not if a calibration's alarm is, which would be passed over */
        disturb_counter(random_number());
    }
}

static void step(uint32_t chance)
{
    unsigned number = chance % TIMERS;
    switch (chance / TIMERS % 8) {
    case 0:
    case 1:
        arm(number, true, random_us());
        break;
    case 2:
    case 3:
        arm(number, false, random_us());
        break;
    case 4:
        cancel(number);
        break;
    case 5:
        disturb_clock(random_number());
        break;
    default:
        sleep(random_us() >> 3, chance & 0x10000);
        break;
    }
}

TEST(timers_at_random_are_never_early_and_never_lost)
{
    for (uint32_t count = 0; count < STEPS; count++) {
        step(random_number() >> 8);
        if (count % STEPS_BETWEEN_JUMPS == 0) {
            jump();
        }
        if (early + late + unasked != 0) {
            break;
        }
    }
    sleep_us(UINT32_C(2) << LONGEST_BITS);
    for (unsigned number = 0; number < TIMERS; number++) {
        expect(!state[number].is_armed);
    }
    expect_equal(early, 0);
    expect_equal(late, 0);
    expect_equal(unasked, 0);
    expect(fired > STEPS / 8);
}
