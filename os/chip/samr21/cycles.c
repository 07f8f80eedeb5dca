/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The cycle counter: TC4, with TC5 as its upper half (SAM R21 data sheet, section TC, 32-bit mode),
 * from the processor's generator. The counter is synchronized continuously to the bus clock, so a
 * read never stalls the bus; it is a few cycles old, always the same number.
 *
 * Both timers have handlers here, so that a program with a real-time task on one of them does not
 * link.
 */
#include <lichen/interrupt.h>

#include "chip/chip.h"
#include "chip/samr21/clock.h"
#include "chip/samr21/interrupt.h"
#include "chip/samr21/reg/gclk.h"
#include "chip/samr21/reg/pm.h"
#include "chip/samr21/reg/tc.h"

enum {
    HALF = 0x80000000u,
};

static struct tc *const counter = (struct tc *)(TC3_BASE + TC_BYTES);

__asm__(".global chip_cycle_counter\n\t.set chip_cycle_counter, 0x42003010");

static void wait_while_busy(void)
{
    while (counter->STATUS & TC_STATUS_SYNCBUSY) {
    }
}

void chip_cycle_counter_start(void)
{
    uint32_t clocks = (uint32_t)PM_APBCMASK_TC3 << 1 | (uint32_t)PM_APBCMASK_TC3 << 2;
    shared_register_update(&PM->APBCMASK, clocks, clocks);
    clock_connect(GCLK_ID_TC4_TC5, CLOCK_PROCESSOR);
    counter->CTRLA = TC_CTRLA_MODE_COUNT32;
    counter->CC32[0] = HALF;
    wait_while_busy();
    counter->INTENSET = TC_INT_OVF | TC_INT_MC0;
    counter->READREQ = TC_READREQ_COUNT_ALWAYS;
    counter->CTRLA = TC_CTRLA_MODE_COUNT32 | TC_CTRLA_ENABLE;
    wait_while_busy();
    chip_interrupt_enable(INTERRUPT_TC4, LEVEL_KERNEL);
}

INTERRUPT(TC4)
{
    counter->INTFLAG = TC_INT_OVF | TC_INT_MC0;
    kernel_cycles_half();
}

/* Never called: the upper half of a 32-bit counter does not interrupt. */
INTERRUPT(TC5)
{
}
