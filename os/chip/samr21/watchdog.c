/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The watchdog of programs that ask for one (SAM R21 data sheet, section WDT).
 *
 * Half a period after the watchdog was cleared, the early warning interrupts at the most urgent
 * level, and its handler is the only place that clears it. CLEAR lies in the slow domain: a second
 * write before the first has crossed, 6 ms, would stall the bus and every interrupt. Half a period
 * is longer than that, so this never happens. If the handler cannot run, or does not clear, the
 * second half ends with a reset.
 */
#include "chip/chip.h"

#include <lichen/interrupt.h>

#include "arch/arch.h"
#include "chip/samr21/clock.h"
#include "chip/samr21/interrupt.h"
#include "chip/samr21/reg/wdt.h"

/* 16 of the clock's 1,024 cycles a second: more than CLEAR takes to cross. */
#define SHORTEST 1u

void chip_watchdog_start(uint32_t milliseconds)
{
    unsigned half = SHORTEST;
    /* 8 cycles last 125 / 16 ms. */
    while (half < WDT_CYCLES_8192 && 125u << half < milliseconds * 16) {
        half++;
    }
    clock_start_watchdog();
    WDT->CONFIG = (uint8_t)(half + 1);
    WDT->EWCTRL = (uint8_t)half;
    WDT->INTENSET = WDT_INT_EW;
    WDT->CTRL = WDT_CTRL_ENABLE;
    chip_interrupt_enable(INTERRUPT_WDT, 0);
}

ARCH_INTERRUPT_OVER(WDT)
{
    WDT->INTFLAG = WDT_INT_EW;
    kernel_watchdog(interrupted);
    WDT->CLEAR = WDT_CLEAR_KEY;
}
