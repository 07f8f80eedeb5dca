/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The reset cause, as the power manager reports it (SAM R21 data sheet, PM, Reset Cause). */
#include <lichen/reset.h>

#include "arch/arch.h"
#include "chip/samr21/reg/pm.h"

enum reset_cause reset_cause(void)
{
    uint8_t cause = PM->RCAUSE;

    if (cause & PM_RCAUSE_POR) {
        return RESET_POWER;
    }
    if (cause & (PM_RCAUSE_BOD12 | PM_RCAUSE_BOD33)) {
        return RESET_BROWN_OUT;
    }
    if (cause & PM_RCAUSE_EXT) {
        return RESET_PIN;
    }
    return cause & PM_RCAUSE_WDT ? RESET_WATCHDOG : RESET_SOFTWARE;
}

_Noreturn void reset_mote(void)
{
    arch_reset();
}
