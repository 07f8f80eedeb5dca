/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Slices while the processor's clock changes, which it does on the SAM R21 only. */
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "chip/chip.h"
#include "test.h"

#define EQUAL    (PRIORITY_APP - 1)
#define SLICE_US 5000u

/* When the chip has switched to the crystal, as in slice.c. */
#define STARTED_US 1500000u

SEMAPHORE(changes_ended, 0);

/* A slice has the same length at every processor clock, even if the clock changes within it. */
SEMAPHORE(go_change, 0);
SEMAPHORE(go_next, 0);
static volatile enum chip_clock clock_before, clock_after;
static volatile uint64_t began_us, next_us;

THREAD(changes, MEDIUM_STACK, EQUAL)
{
    for (;;) {
        semaphore_wait(&go_change);
        began_us = time_now_us();
        chip_clock_set(clock_before);
        while (time_now_us() < began_us + SLICE_US / 2) {
        }
        chip_clock_set(clock_after);
        while (next_us == 0) {
        }
        chip_clock_set(CHIP_CLOCK_8_MHZ);
        semaphore_post(&changes_ended);
    }
}

THREAD(next, MEDIUM_STACK, EQUAL)
{
    for (;;) {
        semaphore_wait(&go_next);
        next_us = time_now_us();
    }
}

static void change(enum chip_clock before, enum chip_clock later)
{
    clock_before = before;
    clock_after = later;
    next_us = 0;
    semaphore_post(&go_change);
    semaphore_post(&go_next);
    semaphore_wait(&changes_ended);
    uint32_t lasted_us = (uint32_t)(next_us - began_us);
    expect(lasted_us > SLICE_US - 300);
    expect(lasted_us < SLICE_US + 300);
}

TEST(a_slice_is_as_long_when_the_clock_changes_in_it)
{
    sleep_until_us(STARTED_US);
    change(CHIP_CLOCK_8_MHZ, CHIP_CLOCK_8_MHZ);
    change(CHIP_CLOCK_48_MHZ, CHIP_CLOCK_4_MHZ);
    change(CHIP_CLOCK_4_MHZ, CHIP_CLOCK_48_MHZ);
    change(CHIP_CLOCK_8_MHZ, CHIP_CLOCK_48_MHZ);
}
