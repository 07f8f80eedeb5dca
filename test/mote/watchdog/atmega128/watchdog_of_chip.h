/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the watchdog's test must know of the chip (watchdog/samr21/watchdog_of_chip.h has the
 * names). */
#ifndef WATCHDOG_OF_CHIP_H
#define WATCHDOG_OF_CHIP_H

#include <stdint.h>

/* Channels are checked every eighth overflow of timer 0, of 250 ms. */
#define LIMIT_MS    1750
#define LIMIT_US    UINT64_C(2000000)
#define CLEARING_US UINT64_C(300000)
#define EARLY_US    280000

/* The watchdog, which each overflow clears, resets after 2.1 s at least. */
#define NEARLY_RESET_MS 1800u

/* The level that records say. */
#define IN_MASKED   3
#define IN_EVENT    1
#define IN_LEVEL(l) 2

/* The handler that checks is of the drivers' level, too: it cannot run. */
#define END_IN_DRIVER RESET_WATCHDOG, 0
#define END_ABOVE     RESET_WATCHDOG, 0

#define MASK_INTERRUPTS() __asm__ volatile("cli")

#define HANG_BYTES             64u
#define CODE_ADDRESS(function) ((uint32_t)(uintptr_t)(function)*2)

/* Nothing can be broken. */
static inline void break_watchdog(void)
{
}

#endif
