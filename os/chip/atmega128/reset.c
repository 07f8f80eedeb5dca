/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Resets by software: the watchdog's (ATmega128 data sheet, Watchdog Timer), as there is no other
 * way. */
#include <lichen/reset.h>

#include "arch/arch.h"
#include "chip/chip.h"
#include "chip/atmega128/reset.h"
#include "chip/atmega128/watchdog.h"

uint16_t reset_asked __attribute__((section(".noinit")));

_Noreturn void arch_reset(void)
{
    __asm__ volatile("cli" : : : "memory"); /* the watchdog takes 15 ms */
    reset_asked = RESET_ASKED;
    watchdog_run(WATCHDOG_SHORTEST);
    for (;;) {
    }
}

_Noreturn void reset_mote(void)
{
    arch_reset();
}
