/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The processor's clock: a loop takes the time that each frequency implies, while microseconds, and
 * the console's baud rate, at which this report is sent, stay the same.
 */
#include <lichen/interrupt.h>
#include <lichen/notify.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "chip/chip.h"
#include "test.h"
#include "timed_interrupt.h"

#define LOOPS           40000u
#define CYCLES_PER_LOOP 3u /* SUBS 1, BNE taken 2: Cortex-M0+ Technical Reference Manual */

/* Waits first until the console is silent, since its interrupts would count. */
static uint32_t loop_us(void)
{
    uint32_t count = LOOPS;

    sleep_ms(20);
    uint64_t start = time_now_us();

    __asm__ volatile(".syntax unified\n .balign 8\n1: subs %0, #1\n bne 1b" : "+l"(count) : : "cc");
    return (uint32_t)(time_now_us() - start);
}

/* Reading the slow clock takes up to 190 us on either side of the loop. */
static void expect_loop_time(enum chip_clock clock, uint32_t hz, uint32_t slack_us)
{
    uint32_t wanted_us = LOOPS * CYCLES_PER_LOOP / (hz / TIME_US_PER_S);

    chip_clock_set(clock);
    uint32_t us = loop_us();
    print("%lu Hz: %lu us, %lu by the manual\n", (unsigned long)chip_clock_hz(), (unsigned long)us,
          (unsigned long)wanted_us);
    expect_equal(chip_clock_hz(), hz);
    expect(us >= wanted_us);
    expect(us <= wanted_us + slack_us);
}

TEST(it_boots_with_8_mhz)
{
    expect_equal(chip_clock_hz(), 8000000);
    expect_loop_time(CHIP_CLOCK_8_MHZ, 8000000, 400);
}

TEST(it_halves)
{
    expect_loop_time(CHIP_CLOCK_4_MHZ, 4000000, 400);
}

/* Flash has a wait state there. The loop lies in one fetch, so each round pays at most one. */
TEST(it_rises_to_48_mhz)
{
    expect_loop_time(CHIP_CLOCK_48_MHZ, 48000000, 400 + LOOPS * 2 / 48);
}

TEST(it_sleeps_and_wakes_at_48_mhz)
{
    uint64_t start = time_now_us();

    sleep_ms(100);
    uint64_t us = time_now_us() - start;

    expect(us >= 100 * TIME_US_PER_MS);
    expect(us < 101 * TIME_US_PER_MS);
}

TEST(it_comes_back)
{
    expect_loop_time(CHIP_CLOCK_8_MHZ, 8000000, 400);
}

/* A more urgent thread changes the clock while this one is changing it: `cycles` after this one
 * began. */
NOTIFY(go_urgent);
static volatile enum chip_clock urgent_clock;
static volatile bool urgent_is_through;

TIMED_INTERRUPT()
{
    notify_post_from(&go_urgent, LEVEL_DRIVER);
}

THREAD(urgent, SMALL_STACK, PRIORITY_HIGH)
{
    for (;;) {
        notify_wait(&go_urgent);
        chip_clock_set(urgent_clock);
        urgent_is_through = true;
    }
}

/* The change that completes last wins, and the processor runs at the frequency that is reported. */
static void change_at_once(enum chip_clock clock, enum chip_clock urgently, uint16_t cycles)
{
    urgent_clock = urgently;
    urgent_is_through = false;
    timed_interrupt_in(cycles);
    chip_clock_set(clock);
    while (!urgent_is_through) {
    }
    uint32_t count = 2000;
    uint64_t start = time_now_us();
    __asm__ volatile(".syntax unified\n .balign 8\n1: subs %0, #1\n bne 1b" : "+l"(count) : : "cc");
    uint32_t us = (uint32_t)(time_now_us() - start);
    uint32_t wanted_us = 2000 * CYCLES_PER_LOOP / (chip_clock_hz() / TIME_US_PER_S);
    expect(us >= wanted_us && us <= 2 * wanted_us + 400);
    chip_clock_set(CHIP_CLOCK_8_MHZ);
}

TEST(two_threads_may_change_it_at_once)
{
    timed_interrupt_enable();
    for (uint16_t cycles = 1; cycles < 400; cycles += 7) {
        change_at_once(CHIP_CLOCK_48_MHZ, CHIP_CLOCK_4_MHZ, cycles);
        change_at_once(CHIP_CLOCK_4_MHZ, CHIP_CLOCK_48_MHZ, cycles);
    }
}
