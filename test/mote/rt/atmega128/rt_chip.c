/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Real-time tasks on the ATmega128: rounding of periods. */
#include <avr/io.h>

#include <lichen/rt.h>

#include "test.h"

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
