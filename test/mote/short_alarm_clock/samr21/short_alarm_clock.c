/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Alarms in microseconds count the same clock whatever the processor runs from. */
#include <lichen/alarm.h>
#include <lichen/event.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "chip/chip.h"
#include "micro_clock.h"
#include "test.h"

static volatile bool fired;
static volatile uint16_t fired_at;

EVENT(fires)
{
    fired_at = micro_now();
    fired = true;
}
static ALARM(alarm, fires);

/* Half the frequency, twice what setting an alarm and its event take. */
static void fire_after(uint16_t us)
{
    fired = false;
    uint16_t start = micro_now();
    expect_equal(alarm_set(&alarm, us), 0);
    while (!fired) {
    }
    uint32_t passed = micro_us(start, fired_at);
    expect(passed >= us);
    expect(passed <= us + 2u * (MICRO_EVENT_US + MICRO_SLACK_US) + (us < 300 ? 60u : 0));
}

static void fire_at(enum chip_clock clock)
{
    chip_clock_set(clock);
    for (uint16_t us = 0; us < 200; us += 3) {
        fire_after(us);
    }
    for (uint16_t us = 200; us <= ALARM_MAX_US; us += 2711) {
        fire_after(us);
    }
}

TEST(an_alarm_comes_in_time_at_each_frequency)
{
    micro_start();
    fire_at(CHIP_CLOCK_48_MHZ);
    fire_at(CHIP_CLOCK_4_MHZ);
    fire_at(CHIP_CLOCK_8_MHZ);
}

TEST(the_frequency_may_change_while_an_alarm_is_set)
{
    fired = false;
    uint16_t start = micro_now();
    expect_equal(alarm_set(&alarm, 20000), 0);
    chip_clock_set(CHIP_CLOCK_48_MHZ);
    sleep_ms(5);
    chip_clock_set(CHIP_CLOCK_4_MHZ);
    sleep_ms(5);
    chip_clock_set(CHIP_CLOCK_8_MHZ);
    while (!fired) {
    }
    uint32_t passed = micro_us(start, fired_at);
    expect(passed >= 20000 && passed <= 20000 + MICRO_EVENT_US + MICRO_SLACK_US);
}

static volatile bool slept;
THREAD_STOPPED(sleeper, SMALL_STACK, PRIORITY_HIGH)
{
    sleep_exact_us(3000);
    slept = true;
}

TEST(a_paused_thread_goes_on_when_it_is_resumed)
{
    slept = false;
    expect_equal(thread_start(&sleeper, 0), 0);
    thread_pause(&sleeper);
    sleep_ms(6);
    expect(!slept);
    thread_resume(&sleeper);
    expect(slept);
    thread_join(&sleeper);
}
