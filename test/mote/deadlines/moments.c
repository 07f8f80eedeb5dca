/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Conversion from microseconds to the alarm's tick and back, and lengths that count from a reading.
 */
#include <lichen/notify.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "exact.h"
#include "played_clock.h"
#include "random.h"
#include "test.h"

#define MANY 120u

/* The tick whose 32 bits are all ones, and the one before. */
#define TICKS_US(ticks)    (UINT64_C(15625) * (ticks) / EXACT_TICKS)
#define LOW_WORD_US        TICKS_US(UINT32_MAX)
#define BEFORE_LOW_WORD_US TICKS_US(UINT32_MAX - 1)

static unsigned fired;
EVENT(fires)
{
    fired++;
}
TIMER(timer, fires);
TIMER(other, fires);

/* An alarm without a deadline: the kernel sets no other. */
static void forget_alarm(void)
{
    played_alarm(played.alarm);
    expect(played.alarm == PLAYED_NO_ALARM);
}

static void expect_alarm(uint64_t tick)
{
    expect_equal((int64_t)played.alarm, (int64_t)tick);
}

static void cancel(struct timer *which)
{
    expect_equal(timer_cancel(which), 0);
    expect_equal(timer_cancel(which), ERR_EMPTY);
}

static void expect_moment(uint64_t us)
{
    expect_equal(timer_arm(&timer, us), 0);
    expect_alarm(us <= LAST_US ? tick_of(us) : PLAYED_NO_ALARM);
    cancel(&timer);
    forget_alarm();
}

TEST(a_moment_comes_with_the_first_tick_at_or_after_it)
{
    static const uint64_t us[] = {
        0,     1,       30,          31,          61,          15624,          15625,
        15626, LAST_US, LAST_US - 1, LAST_US + 1, LAST_US + 2, UINT64_MAX - 1, UINT64_MAX};
    for (unsigned i = 0; i < sizeof(us) / sizeof(us[0]); i++) {
        expect_moment(us[i]);
    }
    for (unsigned i = 0; i < MANY; i++) {
        expect_moment(random_of(55));
        /* The upper 16-bit digits are a whole number of ticks. */
        expect_moment(random_of(30) * (UINT32_C(15625) << 7) + random_below(128));
        expect_moment(random_of(15) * ((uint64_t)15625u << 23) + random_below(UINT32_C(1) << 23));
    }
}

TEST(the_clock_tells_when_its_tick_began)
{
    for (unsigned i = 0; i < MANY; i++) {
        uint64_t tick = random_of(50);
        played.now = tick;
        expect_equal((int64_t)time_now_us(), (int64_t)us_of(tick));
    }
    played.now = 0;
}

/* By a thread: others run meanwhile. */
TEST(a_look_at_the_clock_is_taken_when_it_has_arrived)
{
    played.taken_early = false;
    (void)time_now_us();
    expect(!played.taken_early);
}

/* The tick that was running at the reading may have been nearly over: it counts as passed. */
static void expect_length(uint64_t us, uint64_t read, uint32_t age)
{
    played.age = age;
    expect_equal(timer_arm_after(&timer, us), 0);
    expect_equal(timer_arm_after(&timer, us), ERR_BUSY);
    expect(played.alarm == PLAYED_NO_ALARM);
    played_reading(read);
    expect_alarm(read + 1 + age + tick_of(us));
    cancel(&timer);
    forget_alarm();
}

TEST(a_length_counts_from_the_end_of_the_tick_that_was_read)
{
    static const uint64_t reads[] = {0,           1,           UINT32_MAX - 1, UINT32_MAX,
                                     0x7fffffffu, 0x1ffffffff, 0x100000000};
    static const uint64_t us[] = {
        0,          1, 31, 1000, 15625, 15626, UINT32_C(15625) << 9, LAST_US, BEFORE_LOW_WORD_US,
        LOW_WORD_US};
    for (unsigned i = 0; i < sizeof(reads) / sizeof(reads[0]); i++) {
        for (unsigned j = 0; j < sizeof(us) / sizeof(us[0]); j++) {
            expect_length(us[j], reads[i], 0);
            expect_length(us[j], reads[i], 6);
        }
    }
    for (unsigned i = 0; i < MANY; i++) {
        expect_length(random_of(55), random_of(40), random_below(7));
    }
}

TEST(the_second_alarm_is_for_the_second_moment)
{
    expect_equal(timer_arm(&timer, BEFORE_LOW_WORD_US), 0);
    expect_equal(timer_arm(&other, LOW_WORD_US), 0);
    expect_alarm(UINT32_MAX - 1);
    played_alarm(UINT32_MAX - 1);
    expect_alarm(UINT32_MAX);
    played_alarm(UINT32_MAX);
    expect(played.alarm == PLAYED_NO_ALARM);
}

TEST(lengths_that_share_a_reading_keep_what_each_is_older_by)
{
    for (unsigned i = 0; i < MANY; i++) {
        uint64_t read = random_of(40);
        uint64_t us = random_of(40);
        uint64_t other_us = random_of(40);
        uint32_t age = random_below(7);
        played.age = 0;
        expect_equal(timer_arm_after(&timer, us), 0);
        played.age = age;
        expect_equal(timer_arm_after(&other, other_us), 0);
        played_reading(read);
        expect_equal((int64_t)timer.deadline.tick, (int64_t)(read + 1 + tick_of(us)));
        expect_equal((int64_t)other.deadline.tick, (int64_t)(read + 1 + age + tick_of(other_us)));
        cancel(&timer);
        cancel(&other);
        forget_alarm();
    }
}

/* In ticks since a reading, also beyond 32 bits. */
static void expect_lengths(uint64_t ticks, uint64_t other_ticks)
{
    played_reading(77);
    expect_equal((int64_t)timer.deadline.tick, (int64_t)(77 + 1 + ticks));
    expect_equal((int64_t)other.deadline.tick, (int64_t)(77 + 1 + other_ticks));
    cancel(&timer);
    cancel(&other);
    forget_alarm();
}

#define LONG_US (TICKS_US(UINT64_C(1) << 32) + 61)
TEST(a_length_that_the_compiler_knows_comes_to_its_ticks)
{
    played.age = 0;
    expect_equal(timer_arm_after(&timer, 61), 0);
    expect_equal(timer_arm_after(&other, 999), 0);
    expect_lengths(tick_of(61), tick_of(999));
    expect_equal(timer_arm_after(&timer, 5000), 0);
    expect_equal(timer_arm_after(&other, LONG_US), 0);
    expect_lengths(tick_of(5000), tick_of(LONG_US));
}

TEST(a_length_without_an_end_is_no_length)
{
    fired = 0;
    expect_equal(timer_arm_after(&timer, LAST_US + 1), 0);
    expect_equal(timer_arm_after(&other, 1000), 0);
    played_reading(77);
    expect_alarm(77 + 1 + played.age + tick_of(1000));
    played_alarm(UINT64_MAX - 1);
    expect_equal(fired, 1);
    expect(played.alarm == PLAYED_NO_ALARM);
    cancel(&timer);
}

/* ---------------------------------------------------------------- threads that sleep */
NOTIFY(go);
static void (*to_sleep)(void);
static volatile bool woke;
THREAD(sleeps, LARGE_STACK, PRIORITY_HIGH)
{
    for (;;) {
        notify_wait(&go);
        to_sleep();
        woke = true;
    }
}

static uint64_t length;
static void sleep_for_us(void)
{
    sleep_us((uint32_t)length);
}
static void sleep_for_ms(void)
{
    sleep_ms((uint32_t)length);
}
static void sleep_until(void)
{
    sleep_until_us(length);
}

/* Lengths that are compile-time constants, several in one function each. */
#define KNOWN_LENGTHS 6u
static const uint32_t known_us[KNOWN_LENGTHS] = {61, 62, 999, 5000, 7751, UINT32_MAX};
static const uint32_t known_ms[KNOWN_LENGTHS] = {1, 2, 3, 4, 7, UINT32_MAX};
static volatile unsigned slept;
static void sleep_for_known_us(void)
{
    sleep_us(61);
    slept++;
    sleep_us(62);
    slept++;
    sleep_us(999);
    slept++;
    sleep_us(5000);
    slept++;
    sleep_us(7751);
    slept++;
    sleep_us(UINT32_MAX);
    slept++;
}
static void sleep_for_known_ms(void)
{
    sleep_ms(1);
    slept++;
    sleep_ms(2);
    slept++;
    sleep_ms(3);
    slept++;
    sleep_ms(4);
    slept++;
    sleep_ms(7);
    slept++;
    sleep_ms(UINT32_MAX);
    slept++;
}

/* Begins a sleep whose alarm is then for `tick`, and lets it end. */
static void expect_sleep(void (*sleep)(void), uint64_t count, uint64_t tick)
{
    woke = false;
    length = count;
    to_sleep = sleep;
    notify_post(&go);
    played_reading(played.now);
    expect_alarm(tick);
    expect(!woke);
    played_to(tick - 1);
    expect(!woke);
    played_to(tick);
    expect(woke);
    expect(played.alarm == PLAYED_NO_ALARM);
}

TEST(a_thread_sleeps_to_the_tick)
{
    static const uint32_t lengths[] = {0, 1, 999, 65535, 65536, 4294967, UINT32_MAX};
    for (unsigned i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        uint64_t count = lengths[i];
        uint64_t began = played.now + 1 + played.age;
        expect_sleep(sleep_for_us, count, began + tick_of(count));
        began = played.now + 1 + played.age;
        expect_sleep(sleep_for_ms, count, began + tick_of(count * 1000u));
        uint64_t moment = time_now_us() + 100u + count;
        expect_sleep(sleep_until, moment, tick_of(moment));
    }
}

static void expect_sleeps(void (*sleep)(void), const uint32_t *lengths, uint32_t unit_us)
{
    slept = 0;
    to_sleep = sleep;
    notify_post(&go);
    for (unsigned i = 0; i < KNOWN_LENGTHS; i++) {
        uint64_t tick = played.now + 1 + played.age + tick_of((uint64_t)lengths[i] * unit_us);
        played_reading(played.now);
        expect_alarm(tick);
        played_to(tick - 1);
        expect_equal(slept, i);
        played_to(tick);
        expect_equal(slept, i + 1);
    }
    expect(played.alarm == PLAYED_NO_ALARM);
}

TEST(a_sleep_whose_length_the_compiler_knows_ends_at_its_tick)
{
    expect_sleeps(sleep_for_known_us, known_us, 1);
    expect_sleeps(sleep_for_known_ms, known_ms, 1000);
}

TEST(a_sleep_until_the_past_ends_with_the_next_alarm)
{
    woke = false;
    length = 0;
    to_sleep = sleep_until;
    notify_post(&go);
    expect(!woke);
    expect_alarm(0);
    played_to(played.now);
    expect(woke);
}
