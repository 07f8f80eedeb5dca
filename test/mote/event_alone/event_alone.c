/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Events and cooperative threads in a program without threads and without the console, which would
 * link threads: os/arch/armv6m/events.S serves the kernel level, and no idle thread exists. The
 * tests run in a cooperative thread and report byte by byte, in the form that test.h describes.
 */
#include <lichen/coop.h>
#include <lichen/event.h>
#include <lichen/init.h>
#include <lichen/interrupt.h>
#include <lichen/kernel.h>
#include <lichen/power.h>
#include <lichen/thread.h>
#include <lichen/timer.h>

#include "chip/chip.h"
#include "report.h"
#include "sleep_mode.h"
#include "software_interrupt.h"

#define MORE_PASSES_THAN_SLOTS 20u
#define TICK_MS                10u
#define SOME_RESULT            (-77)

/* ---------------------------------------------------------------- events, and what ran in which
 * order */
enum { OF_KERNEL = LEVEL_KERNEL, CHAIN_BEGINS, CHAIN_ENDS }; /* besides levels */
static volatile uint8_t order[8];
static volatile uint8_t ran;

static void note(uint8_t who)
{
    if (ran < sizeof order) {
        order[ran] = who;
    }
    ran++;
}

#define OF_LEVEL(level)                                                                            \
    EVENT(of_level_##level)                                                                        \
    {                                                                                              \
        note(level);                                                                               \
    }                                                                                              \
    SOFTWARE_INTERRUPT(level)                                                                      \
    {                                                                                              \
        event_post_from(&of_level_##level, level);                                                 \
    }
SOFTWARE_INTERRUPTS_BY(OF_LEVEL)

EVENT(of_the_kernel)
{
    note(OF_KERNEL);
}
EVENT(chain)
{
    note(CHAIN_BEGINS);
    event_post(&of_the_kernel);
    note(CHAIN_ENDS);
}

/* Its own post is the first, and an interrupt's more urgent. */
EVENT(chain_with_interrupt)
{
    event_post(&of_the_kernel);
    software_interrupts(1u << ARCH_LEVEL_DRIVER);
}

/* Requests all of them while neither they nor the kernel level can run. */
static void posts_of_all_levels(void)
{
    ran = 0;
    for (unsigned pass = 1; pass <= MORE_PASSES_THAN_SLOTS; pass++) {
        software_interrupts(SOFTWARE_LEVELS);
        EXPECT(ran == LEVEL_KERNEL * pass);
    }
    for (unsigned level = 0; level < LEVEL_KERNEL; level++) {
        EXPECT(order[level] == level);
    }
    report("posts_of_all_levels_run_by_urgency_before_the_thread_goes_on");
}

static void posts_of_a_cooperative_thread(void)
{
    for (unsigned pass = 1; pass <= MORE_PASSES_THAN_SLOTS; pass++) {
        ran = 0;
        event_post(&chain);
        EXPECT(ran == 3 && order[0] == CHAIN_BEGINS && order[1] == CHAIN_ENDS &&
               order[2] == OF_KERNEL);
    }
    ran = 0;
    event_post(&chain_with_interrupt);
    EXPECT(ran == 2 && order[0] == ARCH_LEVEL_DRIVER && order[1] == OF_KERNEL);
    report("a_post_of_a_cooperative_thread_runs_at_once_and_one_of_an_event_after_it");
}

/* ---------------------------------------------------------------- calls */
static int sum(void *argument, void *second)
{
    const unsigned *left = argument;
    const unsigned *right = second;
    EXPECT(!arch_in_thread());
    return SOME_RESULT + (int)(*left - *right);
}

static void calls(void)
{
    unsigned left = 5, right = 5;
    EXPECT(kernel_run_with(sum, &left, &right) == SOME_RESULT);
    right = 4;
    EXPECT(kernel_run_with(sum, &left, &right) == SOME_RESULT + 1);
    EXPECT(arch_in_thread());
    report("a_call_runs_at_the_kernel_level_and_returns_its_result");
}

/* ---------------------------------------------------------------- timers, and sleep */
COOP_EXTERN(a_tester);
POWER_LIMIT(limit);

static volatile unsigned beats;
static volatile uint8_t slept; /* the mode at the last beat */

EVENT(beat)
{
    beats++;
    slept = (uint8_t)sleep_mode();
    coop_signal(&a_tester);
}
TIMER(beat_timer, beat);

static void expect_slept(uint8_t mode, unsigned wanted)
{
    EXPECT(beats == wanted);
    EXPECT(slept == mode);
}

COOP(a_tester)
{
    COOP_BEGIN();
    report_begin();
    software_interrupts_enable();
    posts_of_all_levels();
    posts_of_a_cooperative_thread();
    calls();

    EXPECT(timer_arm_after(&beat_timer, TICK_MS * TIME_US_PER_MS) == 0);
    EXPECT(timer_arm_after(&beat_timer, TICK_MS * TIME_US_PER_MS) == ERR_BUSY);
    coop_wait();
    expect_slept(SLEEP_DEEPEST, 1);
    report("a_timer_wakes_the_mote_from_its_deepest_sleep");

    power_limit(&limit, SLEEP_DEEPEST - 1);
    EXPECT(timer_arm_after(&beat_timer, TICK_MS * TIME_US_PER_MS) == 0);
    coop_wait();
    expect_slept(SLEEP_DEEPEST - 1, 2);
    power_unlimit(&limit);
    EXPECT(timer_arm_after(&beat_timer, TICK_MS * TIME_US_PER_MS) == 0);
    coop_wait();
    expect_slept(SLEEP_DEEPEST, 3);
    report("a_limit_holds_until_it_is_lifted");
    report_all();
    COOP_END();
}
