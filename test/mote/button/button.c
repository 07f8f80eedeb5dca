/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The board's button, pressed at set times (input.txt), in the deepest sleep. */
#include <lichen/button.h>
#include <lichen/event.h>
#include <lichen/semaphore.h>
#include <lichen/time.h>

#include <stddef.h>

#include "test.h"

static SEMAPHORE(changes, 0);

EVENT(changed)
{
    semaphore_post(&changes);
}

/* Two readings of the clock, and the latency of both edges: a few ticks. */
#define SLACK_US 2000

/* Waits for the next post, for up to a second; returns the time at which it came. */
static uint64_t expect_change(void)
{
    expect_equal(semaphore_wait_until(&changes, time_now_us() + TIME_US_PER_S), 0);
    return time_now_us();
}

static void expect_silence(unsigned ms)
{
    uint64_t deadline = time_now_us() + ms * TIME_US_PER_MS;

    expect_equal(semaphore_wait_until(&changes, deadline), ERR_TIMEOUT);
}

static void expect_about(uint64_t us, uint64_t wanted_us)
{
    expect(us > wanted_us - SLACK_US);
    expect(us < wanted_us + SLACK_US);
}

static uint64_t first_press_us;

TEST(a_press_and_its_release_post_once_each)
{
    expect(button_count() >= 1);
    button_notify(0, &changed);
    first_press_us = expect_change();
    expect(button_pressed(0));
    expect_about(expect_change() - first_press_us, 200 * TIME_US_PER_MS);
    expect(!button_pressed(0));
    expect_silence(100);
}

/* Contacts that bounce for 8 ms: the post comes when they have settled, counted from the last
 * bounce. */
TEST(bounces_are_one_press)
{
    expect_about(expect_change() - first_press_us, (1000 + 8) * TIME_US_PER_MS);
    expect(button_pressed(0));
    expect_silence(100);
    expect_about(expect_change() - first_press_us, 1300 * TIME_US_PER_MS);
    expect(!button_pressed(0));
}

TEST(nothing_posts_after_the_end)
{
    button_notify(0, NULL);
    expect_silence(1000);
}
