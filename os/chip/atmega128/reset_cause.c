/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The reset cause (ATmega128 data sheet, MCUCSR). */
#include <lichen/reset.h>

#include <stdbool.h>

#include "chip/atmega128/registers.h"
#include "chip/atmega128/reset.h"

static uint8_t cause;
static bool by_software;

/* The register keeps the flags of all resets since power was applied until they are cleared. A
 * program that asks, however late, clears them at each start. */
static void reset_cause_read(void)
{
    cause = MCUCSR;
    MCUCSR = (uint8_t)(cause & 1 << JTD);
    by_software = reset_asked == RESET_ASKED;
    reset_asked = 0;
}

/* Among what start-up does for the chip. */
static void (*const reset_cause_start)(void)
    __attribute__((section(".lichen.clock.reset_cause"), used)) = reset_cause_read;
__asm__(".global kernel_has_starts"); /* os/kernel/starts.c */

enum reset_cause reset_cause(void)
{
    if (cause & 1 << PORF) {
        return RESET_POWER;
    }
    if (cause & 1 << BORF) {
        return RESET_BROWN_OUT;
    }
    if (cause & (1 << EXTRF | 1 << JTRF)) {
        return RESET_PIN;
    }
    return by_software ? RESET_SOFTWARE : RESET_WATCHDOG;
}
