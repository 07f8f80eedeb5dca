/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the watchdog's test must know of the chip: the limit and what is to be expected of it, how
 * to mask interrupts, and ways to hang. The same names for every chip.
 */
#ifndef WATCHDOG_OF_CHIP_H
#define WATCHDOG_OF_CHIP_H

#include <stdint.h>

/* The hardware's times are 7.8 ms times a power of two: this is one of them. A clear takes six
 * cycles of 1,024 Hz to arrive, which are added to that. */
#define LIMIT_MS    125
#define LIMIT_US    UINT64_C(125000)
#define CLEARING_US UINT64_C(5860)

/* How much earlier than after the limit a hang may be found: its part has fed its channel, or
 * cleared the hardware, before. */
#define EARLY_US 30000

/* Until the hardware resets a program in which nothing clears it, less 10 ms. */
#define NEARLY_RESET_MS 243u

/* Exception numbers, as records say them: of an event, of the software interrupts, and of a thread
 * that has masked interrupts. */
#define IN_MASKED   0
#define IN_EVENT    14
#define IN_LEVEL(l) (16 + 15 + (l))

/* A handler of the drivers' level is found out, and one above it. */
#define END_IN_DRIVER RESET_SOFTWARE, PANIC_WATCHDOG
#define END_ABOVE     RESET_SOFTWARE, PANIC_WATCHDOG

#define MASK_INTERRUPTS() __asm__ volatile("cpsid i")

/* Bytes of hang_for. */
#define HANG_BYTES             32u
#define CODE_ADDRESS(function) ((uint32_t)(uintptr_t)(function) & ~1u)

/* The generic clock of the watchdog. */
#define GCLK_CLKCTRL         (*(volatile uint16_t *)0x40000c02u)
#define GCLK_CLKCTRL_WDT_OFF 0x0403u /* no CLKEN, generator 4, WDT */

/* The write that clears the watchdog never arrives, and any further write to the watchdog waits for
 * it. */
static inline void break_watchdog(void)
{
    GCLK_CLKCTRL = GCLK_CLKCTRL_WDT_OFF;
}

#endif
