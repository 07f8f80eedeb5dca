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
#include "software_interrupt.h"

#define SCB_SCR           (*(volatile uint32_t *)0xe000ed10u)
#define SCB_SCR_SLEEPDEEP 4u
#define PM_SLEEP          (*(volatile uint8_t *)0x40000401u)

#define MORE_PASSES_THAN_SLOTS 20u
#define TICK_MS                10u
#define SOME_RESULT            (-77)

/* ---------------------------------------------------------------- events, and what ran in which
 * order */
static volatile uint8_t order[8];
static volatile uint8_t ran;

static void note(uint8_t who)
{
    if (ran < sizeof order) {
        order[ran] = who;
    }
    ran++;
}

EVENT(of_level_0)
{
    note(0);
}
EVENT(of_level_1)
{
    note(1);
}
EVENT(of_level_2)
{
    note(2);
}
EVENT(of_the_kernel)
{
    note(3);
}
EVENT(chain)
{
    note(4);
    event_post(&of_the_kernel);
    note(5);
}

/* Its own post is the first, and an interrupt's more urgent. */
EVENT(chain_with_interrupt)
{
    event_post(&of_the_kernel);
    software_interrupts(1u << ARCH_LEVEL_DRIVER);
}

INTERRUPT(TCC0)
{
    event_post_from(&of_level_0, 0);
}
INTERRUPT(TCC1)
{
    event_post_from(&of_level_1, 1);
}
INTERRUPT(TCC2)
{
    event_post_from(&of_level_2, 2);
}

/* Requests all three while neither they nor the kernel level can run. */
static void posts_of_all_levels(void)
{
    ran = 0;
    for (unsigned pass = 1; pass <= MORE_PASSES_THAN_SLOTS; pass++) {
        software_interrupts(7);
        EXPECT(ran == 3 * pass);
    }
    EXPECT(order[0] == 0 && order[1] == 1 && order[2] == 2);
    report("posts_of_all_levels_run_by_urgency_before_the_thread_goes_on");
}

static void posts_of_a_cooperative_thread(void)
{
    for (unsigned pass = 1; pass <= MORE_PASSES_THAN_SLOTS; pass++) {
        ran = 0;
        event_post(&chain);
        EXPECT(ran == 3 && order[0] == 4 && order[1] == 5 && order[2] == 3);
    }
    ran = 0;
    event_post(&chain_with_interrupt);
    EXPECT(ran == 2 && order[0] == ARCH_LEVEL_DRIVER && order[1] == 3);
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
    slept = (SCB_SCR & SCB_SCR_SLEEPDEEP) != 0 ? CHIP_SLEEP_STANDBY : PM_SLEEP;
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
    expect_slept(CHIP_SLEEP_STANDBY, 1);
    report("a_timer_wakes_the_mote_from_its_deepest_sleep");

    power_limit(&limit, CHIP_SLEEP_IDLE2);
    EXPECT(timer_arm_after(&beat_timer, TICK_MS * TIME_US_PER_MS) == 0);
    coop_wait();
    expect_slept(CHIP_SLEEP_IDLE2, 2);
    power_unlimit(&limit);
    EXPECT(timer_arm_after(&beat_timer, TICK_MS * TIME_US_PER_MS) == 0);
    coop_wait();
    expect_slept(CHIP_SLEEP_STANDBY, 3);
    report("a_limit_holds_until_it_is_lifted");
    report_all();
    COOP_END();
}
