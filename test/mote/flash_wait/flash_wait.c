/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread writes flash without a pause, which takes most of the time and is slept through. Another
 * one is woken in the middle of it, by a timer that the kernel does not know, and sleeps for a
 * relative time: that is never too short, whatever was known of the present before the wait for
 * flash, and not much longer than flash holds the processor.
 */
#include <lichen/init.h>
#include <lichen/log.h>
#include <lichen/notify.h>
#include <lichen/rt.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "chip/chip.h"
#include "chip/samr21/tick.h"
#include "test.h"

enum {
    ROUNDS = 150,
    CYCLES_PER_US = 8,
    HELD_US = 20000, /* at most, by flash, with what is between two commands */
};

INIT(chip_cycle_counter_start);

/* The counter reaches half of its range only after the tests. */
void kernel_cycles_half(void)
{
}

LOG_CIRCULAR(ring, 4 * 248);
RT_MAY_WAIT_FOR_FLASH;

NOTIFY(awake);
static volatile bool writes;

RT_TASK(wakes, RT_TIMER_A, .priority = 1, .period_us = 6700, .deadline_us = 6700,
        .wcet_cycles = 300)
{
    rt_acknowledge();
    notify_post_from(&awake, rt_level);
}

THREAD(writer, 512, PRIORITY_LOW)
{
    static const uint8_t byte = 1;

    for (;;) {
        if (!writes) {
            sleep_ms(1);
        } else if (log_append(&ring, &byte, 1) != 0 || log_sync(&ring) != 0) {
            thread_exit();
        }
    }
}

/* SysTick may stand still in the sleep, so the time awake bounds the present no more. */
TEST(the_present_is_not_bounded_after_it)
{
    static const uint8_t byte = 1;

    sleep_ms(5);
    expect(tick_base != TICK_BASE_STALE);
    expect_equal(log_append(&ring, &byte, 1), 0);
    expect_equal(log_sync(&ring), 0);
    expect_equal(tick_base, TICK_BASE_STALE);
}

TEST(a_relative_time_is_right_while_flash_is_written)
{
    uint32_t longest = 0;

    writes = true;
    rt_period_start(wakes);
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint32_t us = 700 + 31 * (i % 40);
        notify_wait(&awake);
        uint32_t begun = chip_cycle_counter;
        sleep_us(us);
        uint32_t took = (chip_cycle_counter - begun) / CYCLES_PER_US;
        uint32_t over = took - us;
        expect(took >= us);
        longest = over > longest ? over : longest;
    }
    rt_period_stop(wakes);
    writes = false;
    expect(longest < HELD_US);
    expect(longest > 1500); /* flash has held it at times */
}
