/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The count of cycles awake, by its functions and the registers of SysTick, in events, where the
 * kernel neither idles nor starts a slice.
 */
#include "arch/armv6m/cycles_awake.h"

#include <lichen/kernel.h>

#include "compute.h"
#include "test.h"

enum {
    CYCLES_PER_US = 8,
    SLICE_CYCLES = 80000,
    AROUND = 120, /* cycles of the functions */
};

/* As slice.c leaves the timer. */
static void start_a_slice(void)
{
    SYST_RVR = SLICE_CYCLES - 1;
    SYST_CVR = 0;
    SYST_CSR = SYST_CSR_ENABLE | SYST_CSR_CLKSOURCE;
}

static int count(void *unused)
{
    (void)unused;
    cycles_awake_start();
    uint32_t first = cycles_awake();
    compute_us(1000);
    uint32_t second = cycles_awake();
    expect(first < AROUND);
    expect(second - first >= 1000 * CYCLES_PER_US);
    expect(second - first < 1500 * CYCLES_PER_US); /* flash may wait */
    cycles_awake_start();
    expect(cycles_awake() < AROUND);
    return 0;
}

TEST(it_counts_from_its_start)
{
    (void)kernel_run(count, 0);
}

static int count_after_a_slice(void *unused)
{
    (void)unused;
    start_a_slice();
    compute_us(100);
    return count(0);
}

TEST(it_takes_the_timer_from_a_slice_that_has_ended)
{
    (void)kernel_run(count_after_a_slice, 0);
}

static int stop_both(void *unused)
{
    (void)unused;
    cycles_awake_start();
    cycles_awake_stop();
    expect_equal(SYST_CSR & SYST_CSR_ENABLE, 0);
    expect_equal(cycles_awake(), CYCLES_AWAKE_UNKNOWN);
    start_a_slice();
    cycles_awake_stop();
    expect(SYST_CSR & SYST_CSR_ENABLE);
    return 0;
}

TEST(its_stop_stops_it_and_no_slice)
{
    (void)kernel_run(stop_both, 0);
}

#define COUNTFLAG (1u << 16)

static int look_during_a_slice(void *unused)
{
    (void)unused;
    start_a_slice();
    expect_equal(cycles_awake(), CYCLES_AWAKE_UNKNOWN);
    expect(SYST_CSR & SYST_CSR_ENABLE);
    compute_us(SLICE_CYCLES / CYCLES_PER_US + 100);
    expect_equal(cycles_awake(), CYCLES_AWAKE_UNKNOWN);
    expect(SYST_CSR & COUNTFLAG);
    return 0;
}

TEST(during_a_slice_it_is_unknown_and_the_slice_does_not_miss_its_end)
{
    (void)kernel_run(look_during_a_slice, 0);
}

/* 2^24 cycles are 2.1 s. */
static int count_beyond(void *unused)
{
    (void)unused;
    cycles_awake_start();
    compute_us(2000000);
    uint32_t cycles = cycles_awake();
    expect(cycles >= 2000000u * CYCLES_PER_US);
    expect(cycles < 1u << 24);
    compute_us(200000);
    expect_equal(cycles_awake(), CYCLES_AWAKE_UNKNOWN);
    expect_equal(SYST_CSR & SYST_CSR_ENABLE, 0);
    expect_equal(cycles_awake(), CYCLES_AWAKE_UNKNOWN);
    return 0;
}

TEST(beyond_its_range_it_is_unknown_for_good)
{
    (void)kernel_run(count_beyond, 0);
}
