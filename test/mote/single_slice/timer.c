/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The slice timer, and changes of the processor's clock. */
#include <lichen/time.h>

#include "chip/chip.h"
#include "slices.h"

/* The slice timer keeps running when the last equal waits. What it counts then, in cycles of the
 * earlier clock, must not be the length of the next slice. */
SEMAPHORE(go_companion, 0);
static volatile bool accompanied;

THREAD(companion, 256, EQUAL)
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

/* ---------------------------------------------------------------- the slice timer */
#define SYST_CSR        (*(volatile uint32_t *)0xe000e010u)
#define SYST_CSR_ENABLE 1u
#define SYST_CVR        (*(volatile uint32_t *)0xe000e018u)

/* It stops when idling begins, even in the middle of a slice. */
TEST(no_slice_timer_runs_while_the_mote_sleeps)
{
    begin_to_compute(nothing, nobody_asks);
    sleep_ms(1);
    end_computing();
    expect((SYST_CSR & SYST_CSR_ENABLE) != 0);
    sleep_ms(1);
    expect((SYST_CSR & SYST_CSR_ENABLE) == 0);
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
