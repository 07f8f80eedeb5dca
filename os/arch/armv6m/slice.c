/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The slice timer is SysTick, driven by the processor's clock, so it stands still while the
 * processor sleeps. In a separate file, which programs without threads do not link.
 *
 * COUNTFLAG says whether the time has elapsed since the timer was last started; a pending interrupt
 * may be from before that.
 */
#include "arch/arch.h"

#include "arch/armv6m/system.h"

void SysTick_handler(void);

/* The counter is loaded with the rest of the slice when it starts, and with a whole slice each time
 * after that. */
void arch_slice_start(uint32_t left, uint32_t cycles)
{
    SYST_RVR = left - 1;
    SYST_CVR = 0;
    SYST_CSR = SYST_CSR_ENABLE | SYST_CSR_TICKINT | SYST_CSR_CLKSOURCE;
    SYST_RVR = cycles - 1;
}

/* The value is read first, so that a slice that ends in between is noticed. */
uint32_t arch_slice_stop(void)
{
    uint32_t left = SYST_CVR;
    uint32_t status = SYST_CSR;
    SYST_CSR = 0;
    return status & SYST_CSR_COUNTFLAG ? 0 : left;
}

void SysTick_handler(void)
{
    if (SYST_CSR & SYST_CSR_COUNTFLAG) {
        kernel_slice();
    }
}
