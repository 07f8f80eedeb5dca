/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The slice timer is SysTick, from the processor's clock; it stands still while the processor
 * sleeps. A file of its own: without threads nothing names it.
 *
 * COUNTFLAG tells whether the time is up since the timer was last begun: a request of the interrupt
 * may be older than that.
 */
#include "arch/arch.h"

#include "arch/armv6m/system.h"

void SysTick_handler(void);

/* The counter is loaded with the rest when it starts, and with the whole slice each time after
 * that. */
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
