/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sleeps of cooperative threads, random in number and length, with a simulated clock: alarms are
 * reported late, and time jumps by up to days within a pass.
 *
 * Laws, in milliseconds that do not wrap, of which the kernel keeps 16 bits: a thread that begins
 * to sleep for n milliseconds in millisecond m sleeps until millisecond m + n + 1 begins, or the
 * next one whose 16 bits are neither those of the flag nor those of "no time". Once that
 * millisecond is known to have begun, the thread is awake; before it has begun, it is not. The
 * alarm is for its first tick or the two after it.
 */
#include <lichen/coop.h>
#include <lichen/notify.h>
#include <lichen/time.h>

#include "../deadlines/played_clock.h"
#include "../deadlines/random.h"
#include "test.h"

#define SLEEPERS 4u
#define STEPS    TRIES(2000u)

#define PER_125_MS (CHIP_TICK_HZ / 8u) /* ticks in 125 milliseconds */

#define MS_FLAG 1u /* in 16 bits; 0 is "no time" */

/* A thread that sleeps when it is signalled. */
struct sleeper {
    uint16_t ms;
    uint64_t jump; /* ticks that pass before it begins */
    uint64_t began;
    bool asleep;
    bool by_time; /* its last sleep ended by time */
};
static volatile struct sleeper sleepers[SLEEPERS];

/* ---------------------------------------------------------------- what should be */
static uint64_t ms_at(uint64_t tick)
{
    return tick / PER_125_MS * 125u + tick % PER_125_MS * 125u / PER_125_MS;
}

static uint64_t first_tick_of(uint64_t ms)
{
    return ms / 125u * PER_125_MS + (ms % 125u * PER_125_MS + 124u) / 125u;
}

/* The millisecond at whose beginning it wakes, unless its 16 bits are reserved. */
static uint64_t end_of(const volatile struct sleeper *one)
{
    return ms_at(one->began) + one->ms + 1u;
}

static uint64_t wakes_at(const volatile struct sleeper *one)
{
    uint64_t ms = end_of(one);
    return (uint16_t)ms <= MS_FLAG ? ms + MS_FLAG + 1u - (uint16_t)ms : ms;
}

/* ---------------------------------------------------------------- who sleeps */
/* The alarm may be for a thread that was woken before it. */
static volatile bool alarm_may_be_early;

/* Some sleep ended before its time. */
static volatile bool ended_early;

static void begin(unsigned which)
{
    volatile struct sleeper *one = &sleepers[which];
    played.now += one->jump;
    one->began = played.now;
    one->asleep = true;
}

static void end(unsigned which, bool by_time)
{
    volatile struct sleeper *one = &sleepers[which];
    one->by_time = by_time;
    one->asleep = false;
    ended_early |= !by_time || ms_at(played.now) < wakes_at(one);
    alarm_may_be_early = true;
}

#define SLEEPER(name, which)                                                                       \
    COOP(name)                                                                                     \
    {                                                                                              \
        COOP_BEGIN();                                                                              \
        for (;;) {                                                                                 \
            coop_wait();                                                                           \
            begin(which);                                                                          \
            coop_sleep_begin(&name, sleepers[which].ms);                                           \
            coop_yield();                                                                          \
            end(which, coop_sleep_ended(&name));                                                   \
        }                                                                                          \
        COOP_END();                                                                                \
    }
SLEEPER(sleeper_0, 0)
SLEEPER(sleeper_1, 1)
SLEEPER(sleeper_2, 2)
SLEEPER(sleeper_3, 3)
static struct coop *const threads[SLEEPERS] = {&sleeper_0, &sleeper_1, &sleeper_2, &sleeper_3};

/* Runs last in each pass, and once per pass. */
NOTIFY(passed);
COOP(z_passes)
{
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        notify_post(&passed);
        coop_yield();
    }
    COOP_END();
}

/* Lets cooperative threads run until the ready ones have finished. */
static void let_run(void)
{
    for (unsigned pass = 0; pass < 3; pass++) {
        coop_signal(&z_passes);
        notify_wait(&passed);
    }
}

/* ---------------------------------------------------------------- what should be */
/* The kernel was told that `known` has been reached. */
static void expect_awake(uint64_t known)
{
    expect(!ended_early);
    for (unsigned which = 0; which < SLEEPERS; which++) {
        const volatile struct sleeper *one = &sleepers[which];
        expect(!one->asleep || ms_at(known) < wakes_at(one));
    }
}

static void expect_alarm(void)
{
    uint64_t least = UINT64_MAX;
    uint64_t most = UINT64_MAX;
    for (unsigned which = 0; which < SLEEPERS; which++) {
        const volatile struct sleeper *one = &sleepers[which];
        if (one->asleep) {
            uint64_t early = first_tick_of(end_of(one));
            uint64_t late = first_tick_of(wakes_at(one)) + 2;
            least = early < least ? early : least;
            most = late < most ? late : most;
        }
    }
    expect(played.alarm <= most);
    expect(played.alarm >= least || alarm_may_be_early);
}

/* ---------------------------------------------------------------- what is done */
/* Any length, or one that ends near the millisecond in which the 16 bits wrap. */
static uint16_t random_length(void)
{
    uint16_t ms = (uint16_t)(random_below(4) - ms_at(played.now) - 1u);
    if (random_below(3) != 0 || ms > COOP_SLEEP_MAX_MS) {
        ms = (uint16_t)random_of(15);
    }
    return ms < COOP_SLEEP_MAX_MS ? ms : COOP_SLEEP_MAX_MS;
}

/* Up to half a second, two minutes, three days; a wrap of 32 bits and a little more; or until
 * shortly before the next one, so that some sleep beyond it and others do not. */
static uint64_t random_jump(void)
{
    switch (random_below(8)) {
    case 0:
        return (UINT64_C(1) << 32) + random_of(18);
    case 1:
        return (uint32_t)(UINT32_MAX - random_of(18) - played.now);
    default:
        break;
    }
    static const uint8_t bits[] = {0, 0, 14, 22, 33};
    return random_of(bits[random_below(sizeof(bits))]);
}

static void let_some_sleep(void)
{
    unsigned some = random_below(1u << SLEEPERS);
    for (unsigned which = 0; which < SLEEPERS; which++) {
        if ((some & 1u << which) != 0 && !sleepers[which].asleep) {
            sleepers[which].ms = random_length();
            sleepers[which].jump = random_jump();
            coop_signal(threads[which]);
        }
    }
    let_run();
    expect_awake(0);
}

/* The alarm is told with a tick that has been reached. */
static void let_pass_to(uint64_t reached)
{
    played.now = played.now > reached ? played.now : reached;
    played_alarm(reached);
    let_run();
    alarm_may_be_early = false; /* set anew for who sleeps now */
    expect_awake(reached);
}

static void let_pass(void)
{
    if (played.alarm == PLAYED_NO_ALARM) {
        return;
    }
    uint64_t reached = played.alarm + random_jump();
    played.now = (played.now > reached ? played.now : reached) + random_jump();
    let_pass_to(reached);
}

/* Runs until no thread sleeps; each alarm is reported at its tick, or as soon as possible. */
static void let_all_wake(void)
{
    while (played.alarm != PLAYED_NO_ALARM) {
        played_to(played.now > played.alarm ? played.now : played.alarm);
        let_run();
    }
    alarm_may_be_early = false;
}

TEST(a_sleep_ends_with_its_millisecond_whatever_time_does)
{
    let_run();
    ended_early = false;
    for (unsigned step = 0; step < STEPS; step++) {
        if (random_below(2) == 0) {
            let_some_sleep();
        } else {
            let_pass();
        }
        expect_alarm();
    }
    let_all_wake();
}

/* Sleeps of all lengths, from moments at which the milliseconds have every fraction of a tick. The
 * alarm is set when the sleep begins, and again when a shorter one has ended. */
TEST(an_alarm_is_two_ticks_later_than_the_millisecond_at_most)
{
    sleepers[0].jump = 0;
    sleepers[1].jump = 0;
    sleepers[1].ms = 0;
    for (unsigned i = 0; i < TRIES(1000); i++) {
        played.now += random_below(4096);
        sleepers[0].ms = (uint16_t)(i % 2 != 0 ? i : COOP_SLEEP_MAX_MS - i);
        coop_signal(threads[0]);
        let_run();
        expect_alarm();
        coop_signal(threads[1]);
        let_run();
        expect_alarm();
        let_pass_to(played.alarm + random_below(64));
        expect_alarm();
        let_all_wake();
        expect(!sleepers[0].asleep && sleepers[0].by_time);
    }
}

/* A signal ends a sleep and is distinguished from time, even if it comes before the sleep begins.
 */
TEST(a_signal_ends_a_sleep_and_is_none_of_time)
{
    sleepers[0].ms = 1000;
    sleepers[0].jump = 0;
    coop_signal(threads[0]);
    let_run();
    expect(sleepers[0].asleep);
    coop_signal(threads[0]);
    let_run();
    expect(!sleepers[0].asleep && !sleepers[0].by_time);
    coop_signal(threads[0]);
    coop_signal(threads[0]);
    let_run();
    expect(!sleepers[0].asleep && !sleepers[0].by_time);
    let_all_wake();
}

/* Pieces. Each ends with the millisecond after its last one, or up to two later if the 16 bits of
 * that one are reserved. */
static volatile uint64_t woke_at;
static volatile uint32_t long_ms;
COOP(long_sleeper)
{
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        woke_at = 0;
        coop_sleep_ms(long_ms);
        woke_at = played.now;
    }
    COOP_END();
}

#define PIECE_MS COOP_SLEEP_MAX_MS

/* The two ticks by which an alarm may be later, where they are not within a millisecond. */
#define ALARM_LATE_MS (CHIP_TICK_HZ > 2000u ? 0u : 2u)

static void expect_long(uint32_t ms)
{
    long_ms = ms;
    uint64_t began = ms_at(played.now);
    coop_signal(&long_sleeper);
    let_run();
    expect_equal((int64_t)woke_at, 0);
    let_all_wake();
    uint32_t least = ms + (ms + PIECE_MS - 1) / PIECE_MS;
    uint64_t slept = ms_at(woke_at) - began;
    expect(slept >= least);
    uint32_t reserved = 2u * (ms / UINT16_MAX + 1u);
    expect(slept <= least + reserved + (ms + PIECE_MS - 1) / PIECE_MS * ALARM_LATE_MS);
}

TEST(a_long_sleep_has_all_its_pieces)
{
    static const uint32_t lengths[] = {PIECE_MS - 1, PIECE_MS, PIECE_MS + 1, 2 * PIECE_MS, 1000000};
    for (unsigned i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        expect_long(lengths[i]);
    }
    for (unsigned i = 0; i < 8; i++) { /* the first piece ends where the 16 bits wrap */
        played.now = first_tick_of((ms_at(played.now) | 0xffffu) - PIECE_MS + i - 2u);
        expect_long(2 * PIECE_MS);
    }
}

/* Runs before the long sleeper in a pass, so that the latter may have been woken but not have run.
 */
COOP(holds)
{
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        coop_hold(&long_sleeper);
    }
    COOP_END();
}

/* Held when its first piece is over, in whatever millisecond that is. */
static void expect_let_go(uint64_t ends)
{
    played.now = first_tick_of(ends - PIECE_MS - 1u);
    long_ms = 3 * PIECE_MS;
    coop_signal(&long_sleeper);
    let_run();
    played_to(played.alarm);
    coop_signal(&holds);
    let_run();
    let_all_wake();
    expect_equal((int64_t)woke_at, 0);
    coop_signal(&long_sleeper);
    let_run();
    expect(woke_at != 0);
    let_all_wake();
}

TEST(a_signal_ends_a_long_sleep_that_was_held_between_two_pieces)
{
    for (unsigned i = 0; i < 8; i++) {
        expect_let_go(((ms_at(played.now) + 2u * PIECE_MS) | 0xffffu) + i - 3u);
    }
}

/* The same signal does not end the next sleep. */
TEST(a_sleep_after_one_that_was_held_has_its_time)
{
    expect_let_go(ms_at(played.now) + 2u * PIECE_MS);
    expect_long(2 * PIECE_MS);
}
