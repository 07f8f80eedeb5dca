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

/* Whatever delays a sleeper besides: the other threads' work, the event, and a handler that each
 * of them has scheduled, all slower by 2 at 4 MHz. */
#define OTHERS_US (2u * (SLEEPERS + 1) * (WORK_MAX_US + HANDLER_MAX_US))
#define LATEST_US (LATE_US + REFERENCE_AGE_US + OTHERS_US)

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

static volatile uint32_t handler_us;
NOTIFY(interrupted);
TIMED_INTERRUPT()
{
    compute_us(handler_us);
    notify_post_from(&interrupted, LEVEL_DRIVER);
}

/* A handler within the next milliseconds awake, and of any length; the counter stands in standby.
 */
static void schedule_handler(void)
{
    handler_us = random_below(4) != 0 ? 0 : random_below(HANDLER_MAX_US);
    timed_interrupt_in((uint16_t)(1u + random_below(6000)));
}

/* Checks a length that began at `before`, or later. */
static void check(uint32_t before, uint32_t us)
{
    uint32_t passed = reference_now() - before;
    early += passed + REFERENCE_AGE_US < us;
    late += passed > us + LATEST_US;
}

/* ---------------------------------------------------------------- an event with a timer */
static struct {
    uint32_t before;
    uint32_t us;
    volatile bool is_armed;
} timed;

NOTIFY(told);
EVENT(fires)
{
    check(timed.before, timed.us);
    timed.is_armed = false;
    if (random_below(2) == 0) {
        compute_us(random_below(WORK_MAX_US));
    }
    notify_post(&told);
}
TIMER(timer, fires);

static void arm(void)
{
    if (!timed.is_armed) {
        timed.is_armed = true;
        timed.us = random_length();
        timed.before = reference_now();
        expect_equal(timer_arm_after(&timer, timed.us), 0);
    }
}

/* ---------------------------------------------------------------- threads */
static void change_clock(void)
{
    static const enum chip_clock clocks[] = {CHIP_CLOCK_4_MHZ, CHIP_CLOCK_8_MHZ, CHIP_CLOCK_48_MHZ};
    chip_clock_set(clocks[random_below(3)]);
}

static void act(void)
{
    switch (random_below(8)) {
    case 0:
        compute_us(random_below(WORK_MAX_US));
        break;
    case 1:
        schedule_handler();
        break;
    case 2:
        arm();
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
    uint32_t before = reference_now();
    sleep_us(us);
    check(before, us);
}

static void sleep_at_random(void)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        act();
        act();
        sleep_for_a_while();
    }
    done++;
}

THREAD(first_sleeper, SMALL_STACK, PRIORITY_APP)
{
    sleep_ms(50); /* the test has started the counters */
    sleep_at_random();
}
THREAD(second_sleeper, SMALL_STACK, PRIORITY_HIGH)
{
    sleep_ms(50);
    sleep_at_random();
}

THREAD(sleeper_after_handlers, SMALL_STACK, PRIORITY_APP)
{
    for (;;) {
        notify_wait(&interrupted);
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
