/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cooperative threads. The test's own thread has priority over them: they run while it sleeps. */
#include <lichen/coop.h>

#include <string.h>

#include <lichen/interrupt.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "awake.h"
#include "software_interrupt.h"
#include "test.h"

static char order[16];
static unsigned length;

static void ran(char letter)
{
    if (length < sizeof(order) - 1) {
        order[length++] = letter;
    }
}

static void begin(void)
{
    memset(order, 0, sizeof(order));
    length = 0;
}

COOP(turn_a)
{
    static unsigned i;
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        for (i = 0; i < 3; i++) {
            ran('a');
            coop_yield();
        }
    }
    COOP_END();
}

COOP(turn_b)
{
    static unsigned i;
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        for (i = 0; i < 3; i++) {
            ran('b');
            coop_yield();
        }
    }
    COOP_END();
}

TEST(they_take_turns_in_the_order_of_their_names)
{
    sleep_ms(1);
    begin();
    coop_signal(&turn_b);
    coop_signal(&turn_a);
    sleep_ms(1);
    expect(strcmp(order, "ababab") == 0);
}

static unsigned waits_ended;

COOP(waiter)
{
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        waits_ended++;
    }
    COOP_END();
}

TEST(a_signal_ends_one_wait_and_is_kept_for_a_thread_that_does_not_wait)
{
    sleep_ms(1);
    waits_ended = 0;
    coop_signal(&waiter); /* makes it ready */
    coop_signal(&waiter); /* kept */
    coop_signal(&waiter); /* coalesces */
    sleep_ms(1);
    expect_equal(waits_ended, 2);
    sleep_ms(1);
    expect_equal(waits_ended, 2);
}

static unsigned sleeps_ended;
static uint32_t sleep_for_ms;
static uint64_t slept_us;

COOP(sleeper)
{
    static uint64_t start;
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        start = time_now_us();
        coop_sleep_ms(sleep_for_ms);
        slept_us = time_now_us() - start;
        sleeps_ended++;
    }
    COOP_END();
}

static void expect_sleep(uint32_t ms)
{
    sleep_for_ms = ms;
    sleeps_ended = 0;
    coop_signal(&sleeper);
    sleep_ms(ms + 10 + (ms / COOP_SLEEP_MAX_MS + 1) * EXTRA_US / 1000);
    expect_equal(sleeps_ended, 1);
    expect(slept_us >= (uint64_t)ms * 1000);
    /* Besides the millisecond of each piece: reading the clock, and setting a near alarm. */
    uint32_t pieces_us = ms / COOP_SLEEP_MAX_MS * (600 + EXTRA_US);
    expect(slept_us < (uint64_t)ms * 1000 + 1700 + EXTRA_US + pieces_us);
}

TEST(a_sleep_lasts_as_long_as_it_says_and_a_millisecond_more_at_most)
{
    static const uint32_t lengths[] = {0, 1, 2, 3, 10, 100, 999, 1000, 29999, 30000, 30001, 70000};
    for (unsigned i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
        expect_sleep(lengths[i]);
    }
}

TEST(a_signal_ends_a_sleep_of_any_length)
{
    static const uint32_t lengths[] = {100, 100000};
    for (unsigned i = 0; i < 2; i++) {
        sleep_for_ms = lengths[i];
        sleeps_ended = 0;
        coop_signal(&sleeper);
        sleep_ms(10);
        expect_equal(sleeps_ended, 0);
        coop_signal(&sleeper);
        sleep_ms(1);
        expect_equal(sleeps_ended, 1);
        expect(slept_us < 11000 + EXTRA_US);
    }
}

COOP(second_sleeper)
{
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        coop_sleep_ms(35);
        ran('7');
        coop_sleep_ms(35);
        ran('e');
    }
    COOP_END();
}

COOP(third_sleeper)
{
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        coop_sleep_ms(15);
        ran('3');
        coop_sleep_ms(35);
        ran('t');
    }
    COOP_END();
}

TEST(one_alarm_serves_several_sleepers)
{
    begin();
    coop_signal(&second_sleeper);
    coop_signal(&third_sleeper);
    sleep_ms(100);
    expect(strcmp(order, "37te") == 0);
}

static unsigned begun;

COOP(mortal)
{
    COOP_BEGIN();
    begun++;
    coop_wait();
    begun += 100;
    COOP_END();
}

TEST(a_thread_that_ends_is_dead_until_it_is_added)
{
    sleep_ms(1);
    begun = 0;
    coop_signal(&mortal);
    sleep_ms(1);
    expect_equal(mortal.state, COOP_DEAD);
    coop_signal(&mortal);
    sleep_ms(1);
    expect_equal(begun, 100);
    coop_add(&mortal);
    coop_add(&mortal);
    sleep_ms(1);
    expect_equal(begun, 101);
    expect_equal(mortal.state, COOP_WAITING);
}

static unsigned rounds;

COOP(subject)
{
    COOP_BEGIN();
    coop_wait();
    for (;;) {
        rounds++;
        coop_sleep_ms(1);
    }
    COOP_END();
}

enum command { NOTHING, HOLD, KILL };
static enum command command;

COOP(controls)
{
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        if (command == HOLD) {
            coop_hold(&subject);
        } else if (command == KILL) {
            coop_kill(&subject);
        }
    }
    COOP_END();
}

static unsigned rounds_after(enum command what)
{
    command = what;
    coop_signal(&controls);
    sleep_ms(2);
    rounds = 0;
    sleep_ms(60);
    return rounds;
}

TEST(others_can_hold_run_and_kill_a_thread)
{
    coop_signal(&subject);
    expect(rounds_after(NOTHING) > 5);
    expect_equal(rounds_after(HOLD), 0);
    coop_signal(&subject);
    expect(rounds_after(NOTHING) > 5);
    expect_equal(rounds_after(KILL), 0);
    coop_signal(&subject);
    expect_equal(rounds_after(NOTHING), 0);
    coop_add(&subject);
    sleep_ms(1);
    coop_signal(&subject);
    expect(rounds_after(NOTHING) > 5);
    (void)rounds_after(KILL);
}

/* Yields three times before it waits, so that it can be held while a signal is pending. */
COOP(yields_first)
{
    static unsigned i;
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        for (i = 0; i < 3; i++) {
            ran('y');
            coop_yield();
        }
        ran('w');
    }
    COOP_END();
}

COOP(zz_holds) /* runs after it */
{
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        coop_signal(&yields_first); /* is kept */
        coop_hold(&yields_first);
        coop_hold(&sleeper);
    }
    COOP_END();
}

TEST(a_signal_that_was_not_seen_is_kept_by_who_is_held)
{
    sleep_ms(20); /* until the console is silent: its interrupts let them run */
    begin();
    coop_signal(&yields_first);
    coop_signal(&zz_holds);
    sleep_ms(1);
    expect(strcmp(order, "y") == 0);
    coop_signal(&yields_first);
    sleep_ms(1);
    expect(strcmp(order, "yyywyyyw") == 0);
}

TEST(a_signal_ends_a_long_sleep_in_which_a_thread_was_held)
{
    sleep_for_ms = 100000;
    sleeps_ended = 0;
    coop_signal(&sleeper);
    sleep_ms(10);
    coop_signal(&zz_holds);
    sleep_ms(10);
    expect_equal(sleeps_ended, 0);
    coop_signal(&sleeper);
    sleep_ms(1);
    expect_equal(sleeps_ended, 1);
}

static inline __attribute__((always_inline)) void signal_from(unsigned level)
{
    if (level < 2) {
        coop_signal(&waiter);
    }
    if (level == 1) {
        software_interrupts(1u << 0);
    }
    if (level == LEVEL_DRIVER) {
        coop_signal(&turn_a);
    }
}
SOFTWARE_INTERRUPTS(signal_from)

TEST(interrupts_of_every_level_signal)
{
    software_interrupts_enable();
    sleep_ms(1);
    begin();
    waits_ended = 0;
    software_interrupts(1u << 1 | 1u << LEVEL_DRIVER);
    sleep_ms(1);
    expect_equal(waits_ended, 2);
    expect(strcmp(order, "aaa") == 0);
}

static bool keep_busy;
static unsigned turns_of_thread;

COOP(busy)
{
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        while (keep_busy) {
            coop_yield();
        }
    }
    COOP_END();
}

THREAD(interrupts_them, SMALL_STACK, PRIORITY_LOW)
{
    for (;;) {
        turns_of_thread++;
        sleep_ms(keep_busy ? 2 : 1000);
    }
}

TEST(threads_come_before_them_and_sleepers_wake_beside_busy_ones)
{
    keep_busy = true;
    coop_signal(&busy);
    sleep_ms(1000); /* until the thread has noticed */
    turns_of_thread = 0;
    expect_sleep(40);
    keep_busy = false;
    expect(turns_of_thread > 10);
}

static uint16_t counts_awake_in_ms(uint32_t ms)
{
    awake_begin();
    sleep_ms(ms);
    return awake_counts();
}

TEST(the_mote_sleeps_while_none_of_them_is_ready)
{
    coop_signal(&waiter);
    sleep_ms(50); /* until the console is done */
    expect(counts_awake_in_ms(100) < AWAKE_COUNTS);
    keep_busy = true;
    coop_signal(&busy);
    expect(counts_awake_in_ms(100) > 10 * AWAKE_COUNTS);
    keep_busy = false;
}
