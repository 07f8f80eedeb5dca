/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The watchdog of programs that ask for one (ATmega128 data sheet, Watchdog Timer).
 *
 * It has no interrupt that warns, and waits 2 s at most. So the overflow of timer 0, every 250 ms,
 * clears it and counts the periods, at level 1. If that handler cannot run, because a handler hangs
 * or interrupts stay masked, the chip is reset 2 s later.
 */
#include "chip/chip.h"

#include "arch/arch.h"
#include "chip/atmega128/registers.h"
#include "chip/atmega128/watchdog.h"

__asm__(".global ticks_start"); /* os/kernel/time/ticks.c */

#define OVERFLOW_MS 250u

static uint16_t period;
static uint16_t left; /* overflows until the period has passed */

void chip_watchdog_start(uint32_t milliseconds)
{
    period = (uint16_t)((milliseconds + OVERFLOW_MS - 1) / OVERFLOW_MS + 1);
    left = period;
    watchdog_run(WATCHDOG_LONGEST);
}

void watchdog_serve(const struct exception_frame *interrupted)
{
    __asm__ volatile("wdr");
    left--;
    /* A count that was overwritten must not put off the end. */
    if (left == 0 || left >= period) {
        left = period;
        kernel_watchdog(interrupted);
    }
}
