/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The board's button, pressed by the clock (input.txt), out of the deepest sleep. */
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

/* Waits for the next post, up to a second. */
static void expect_change(void)
{
    expect_equal(semaphore_wait_until(&changes, time_now_us() + TIME_US_PER_S), 0);
}

TEST(a_press_and_its_release_post_once_each)
{
    expect(button_count() >= 1);
    button_notify(0, &changed);
    expect_change();
    expect(button_pressed(0));
    expect_change();
    expect(!button_pressed(0));
    expect_equal(semaphore_wait_until(&changes, time_now_us() + 100 * TIME_US_PER_MS), ERR_TIMEOUT);
}

TEST(the_post_comes_when_the_contacts_have_rested)
{
    const uint64_t pressed_us = 1 * TIME_US_PER_S;

    expect_change();
    expect(time_now_us() >= pressed_us + BUTTON_SETTLE_MS * TIME_US_PER_MS);
    expect(time_now_us() < pressed_us + (BUTTON_SETTLE_MS + 10) * TIME_US_PER_MS);
    expect_change();
}

TEST(bounces_are_one_press)
{
    expect_change();
    expect(button_pressed(0));
    expect_equal(semaphore_wait_until(&changes, time_now_us() + 100 * TIME_US_PER_MS), ERR_TIMEOUT);
    expect_change();
    expect(!button_pressed(0));
}

TEST(nothing_posts_after_the_end)
{
    button_notify(0, NULL);
    expect_equal(semaphore_wait_until(&changes, time_now_us() + TIME_US_PER_S), ERR_TIMEOUT);
}
