/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Real-time tasks on the ATmega128: their timers. */
#include <avr/io.h>

#include <lichen/rt.h>
#include <lichen/time.h>

#include "compute.h"
#include "sleep_mode.h"
#include "test.h"

extern volatile uint8_t rt_timer_TIMER1_COMPA[];
extern volatile uint8_t rt_timer_TIMER3_COMPA[];

/* 516,103.37 cycles, of 8 a count, and 10,000.4 cycles. */
TEST(a_period_is_rounded_to_the_nearest_count)
{
    rt_timer_start(rt_timer_TIMER3_COMPA, 70001);
    uint16_t divided = OCR3A;
    rt_timer_start(rt_timer_TIMER3_COMPA, 1356);
    uint16_t whole = OCR3A;
    rt_timer_stop(rt_timer_TIMER3_COMPA);
    expect_equal(divided + 1u, 64513u);
    expect_equal(whole + 1u, 9998u);
}

TEST(a_timer_that_is_started_again_begins_a_whole_period)
{
    rt_timer_start(rt_timer_TIMER3_COMPA, 8000);
    compute_cycles(4 * MS_CYCLES);
    rt_timer_start(rt_timer_TIMER3_COMPA, 8000);
    uint16_t counted = TCNT3;
    rt_timer_stop(rt_timer_TIMER3_COMPA);
    expect(counted < MS_CYCLES);
}

/* The console limits sleep until it has sent the last test's line. */
static unsigned mode_of_sleep(void)
{
    sleep_ms(20);
    sleep_ms(10);
    return sleep_mode();
}

TEST(each_timer_that_runs_keeps_the_mote_in_idle_mode)
{
    expect_equal(mode_of_sleep(), SLEEP_DEEPEST);
    rt_timer_start(rt_timer_TIMER1_COMPA, 1000000);
    rt_timer_start(rt_timer_TIMER3_COMPA, 1000000);
    rt_timer_stop(rt_timer_TIMER1_COMPA);
    expect_equal(mode_of_sleep(), SLEEP_COUNTING);
    rt_timer_start(rt_timer_TIMER1_COMPA, 1000000);
    rt_timer_stop(rt_timer_TIMER3_COMPA);
    expect_equal(mode_of_sleep(), SLEEP_COUNTING);
    rt_timer_stop(rt_timer_TIMER1_COMPA);
    expect_equal(mode_of_sleep(), SLEEP_DEEPEST);
}
