/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Relative times after wake-ups, against a counter that the kernel does not know: what the chip
 * takes for the present is a bound from the time awake, and must hold whatever the processor did
 * since it woke. Threads and an event sleep for random lengths at once; between their sleeps they
 * work, wait for a notification, change the processor's clock, and are interrupted by handlers that
 * take up to 3 ms.
 */
#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/notify.h>
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/timer.h>

#include "chip/chip.h"

#include "compute.h"
#include "late.h"
#include "test.h"
#include "timed_interrupt.h"

#include "reference.h"

enum {
    ROUNDS = 4000,
    SLEEPERS = 2,
    HANDLER_MAX_US = 3000,
    WORK_MAX_US = 700,
    LENGTH_BITS = 15, /* of microseconds */
};

/* What the kernel's calls in a round take at most: 6,000 cycles, at 4 MHz. */
#define CALLS_US  1500u
#define LATEST_US (LATE_US + REFERENCE_AGE_US + CALLS_US)

static volatile unsigned early, late, done;

static uint32_t random_number(void)
{
    static volatile uint32_t number = 2463534242u;
    uint32_t next = number;
    next ^= next << 13;
    next ^= next >> 17;
    next ^= next << 5;
    number = next;
    return next;
}

static uint32_t random_below(uint32_t end)
{
    return (random_number() >> 8) % end;
}

/* Short lengths are as frequent as long ones. */
static uint32_t random_length(void)
{
    return 1u + (random_number() >> (32 - LENGTH_BITS) >> random_below(LENGTH_BITS));
}

/* ---------------------------------------------------------------- what delays a sleeper */
enum worker {
    FIRST_SLEEPER,
    SECOND_SLEEPER,
    SLEEPER_AFTER_HANDLERS,
    THE_EVENT,
    THE_HANDLER,
    WORKERS
};

/* How long each has worked at most, calls of the kernel included. */
static volatile uint32_t worked_us[WORKERS];

static void begin_round(enum worker worker)
{
    worked_us[worker] += CALLS_US;
}

static void work(enum worker worker, uint32_t us)
{
    worked_us[worker] += 2 * us; /* at 4 MHz */
    compute_us(us);
}

static uint32_t all_worked_us(void)
{
    uint32_t us = 0;
    for (unsigned i = 0; i < WORKERS; i++) {
        us += worked_us[i];
    }
    return us;
}

/* When a length began, or earlier, and what had been worked by then. */
struct beginning {
    uint32_t us;
    uint32_t worked_us;
};

static struct beginning now(void)
{
    uint32_t worked = all_worked_us();
    return (struct beginning){.us = reference_now(), .worked_us = worked};
}

static volatile uint32_t handler_us;
NOTIFY(interrupted);
TIMED_INTERRUPT()
{
    begin_round(THE_HANDLER);
    work(THE_HANDLER, handler_us);
    notify_post_from(&interrupted, LEVEL_DRIVER);
}

/* A handler within the next milliseconds awake, and of any length; the counter stands in standby.
 */
static void schedule_handler(void)
{
    handler_us = random_below(4) != 0 ? 0 : random_below(HANDLER_MAX_US);
    timed_interrupt_in((uint16_t)(1u + random_below(6000)));
}

/* Checks a length: it ends when it should, and whatever was worked since it began delays it. */
static void check(struct beginning begun, uint32_t us)
{
    uint32_t passed = reference_now() - begun.us;
    early += passed + REFERENCE_AGE_US < us;
    late += passed > us + LATEST_US + all_worked_us() - begun.worked_us;
}

/* ---------------------------------------------------------------- an event with a timer */
static struct {
    struct beginning begun;
    uint32_t us;
    volatile bool is_armed;
} timed;

NOTIFY(told);
EVENT(fires)
{
    begin_round(THE_EVENT);
    check(timed.begun, timed.us);
    timed.is_armed = false;
    if (random_below(2) == 0) {
        work(THE_EVENT, random_below(WORK_MAX_US));
    }
    notify_post(&told);
}
TIMER(timer, fires);

static void arm(void)
{
    if (!timed.is_armed) {
        timed.is_armed = true;
        timed.us = random_length();
        timed.begun = now();
        expect_equal(timer_arm_after(&timer, timed.us), 0);
    }
}

/* ---------------------------------------------------------------- threads */
static void change_clock(void)
{
    static const enum chip_clock clocks[] = {CHIP_CLOCK_4_MHZ, CHIP_CLOCK_8_MHZ, CHIP_CLOCK_48_MHZ};
    chip_clock_set(clocks[random_below(3)]);
}

/* Only one of them arms the timer. */
static void act(enum worker self)
{
    switch (random_below(8)) {
    case 0:
        work(self, random_below(WORK_MAX_US));
        break;
    case 1:
        schedule_handler();
        break;
    case 2:
        if (self == SECOND_SLEEPER) {
            arm();
        }
        break;
    case 3:
        if (random_below(2) == 0) {
            change_clock();
        }
        break;
    default:
        break;
    }
}

static void sleep_for_a_while(void)
{
    uint32_t us = random_length();
    struct beginning begun = now();
    sleep_us(us);
    check(begun, us);
}

static void sleep_at_random(enum worker self)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        begin_round(self);
        act(self);
        act(self);
        sleep_for_a_while();
    }
    done++;
}

THREAD(first_sleeper, SMALL_STACK, PRIORITY_APP)
{
    sleep_ms(50); /* the test has started the counters */
    sleep_at_random(FIRST_SLEEPER);
}
THREAD(second_sleeper, SMALL_STACK, PRIORITY_HIGH)
{
    sleep_ms(50);
    sleep_at_random(SECOND_SLEEPER);
}

THREAD(sleeper_after_handlers, SMALL_STACK, PRIORITY_APP)
{
    for (;;) {
        notify_wait(&interrupted);
        begin_round(SLEEPER_AFTER_HANDLERS);
        sleep_for_a_while();
    }
}

TEST(lengths_after_wake_ups_are_never_early_and_end_in_time)
{
    reference_start();
    timed_interrupt_enable();
    while (done < SLEEPERS) {
        int error = notify_wait_until(&told, time_now_us() + TIME_US_PER_S);
        expect(error == 0 || error == ERR_TIMEOUT);
    }
    expect_equal(early, 0);
    expect_equal(late, 0);
}
