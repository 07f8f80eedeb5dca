/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Slices, and changes of the processor's clock, which only the SAM R21 can make. */
#include <lichen/time.h>

#include "../slices.h"
#include "chip/chip.h"
#include "slice_timer.h"

/* The slice timer keeps running when the last equal waits. What it counts then, in cycles of the
 * earlier clock, must not be the length of the next slice. */
SEMAPHORE(go_companion, 0);
static volatile bool accompanied;

THREAD(companion, SMALL_STACK, EQUAL)
{
    for (;;) {
        semaphore_wait(&go_companion);
        while (accompanied) {
        }
    }
}

static void lose_the_companion_while_the_timer_runs(void)
{
    accompanied = false;
    thread_yield();
}

static void compute_beside_companions(void)
{
    semaphore_post(&go_companion);
    while (slices < SLICES) {
        lose_the_companion_while_the_timer_runs();
        chip_clock_set(slices % 2 == 0 ? CHIP_CLOCK_48_MHZ : CHIP_CLOCK_8_MHZ);
        accompanied = true;
        semaphore_post(&go_companion);
        slice_lasted(compute_to_the_end_of_the_slice());
    }
    accompanied = false;
}

TEST(a_slice_that_begins_after_the_clock_has_changed_is_whole)
{
    slices = 0;
    own = compute_beside_companions;
    computing = true;
    semaphore_post(&go_owner);
    semaphore_wait(&ended);
    expect_slices();
}

/* The rest of a slice is never 0, since the timer would then start with its full range. */
static volatile uint32_t left_cycles;

static void change_clock_at_the_end(void)
{
    while (SYST_CVR > left_cycles) {
    }
    chip_clock_set(CHIP_CLOCK_4_MHZ);
    uint32_t us = compute_to_the_end_of_the_slice();
    chip_clock_set(CHIP_CLOCK_8_MHZ);
    expect(us < SLICE_US + SLACK_US);
    left_cycles += 20;
}

TEST(a_slice_that_is_all_but_over_when_the_clock_changes_ends)
{
    left_cycles = 10;
    begin_to_compute(change_clock_at_the_end, nobody_asks);
    while (left_cycles < 1200) {
        sleep_ms(10);
    }
    end_computing();
}

/* The rest of the inherited slice is converted, and nothing else of the thread. */
static void inherit_while_the_clock_changes(void)
{
    rival_has_run = false;
    given_back = false;
    (void)mutex_lock(&shared);
    semaphore_post(&go_wants);
    begun_at = fine_now();
    semaphore_post(&go_rival);
    compute_for(SLICE_US / 2);
    chip_clock_set(CHIP_CLOCK_48_MHZ);
    while (!rival_has_run) {
    }
    chip_clock_set(CHIP_CLOCK_8_MHZ);
    given_back = true;
    mutex_unlock(&shared);
    expect(same_text(thread_name(thread_self()), "owner"));
}

static void inherit_while_clocks_change(void)
{
    while (slices < SLICES) {
        inherit_while_the_clock_changes();
    }
}

TEST(an_inherited_slice_is_as_long_when_the_clock_changes_in_it)
{
    slices = 0;
    own_beside_watcher(inherit_while_clocks_change);
    expect_slices();
}
