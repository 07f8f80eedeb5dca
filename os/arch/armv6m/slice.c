/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The slice timer is SysTick, from the processor's clock; it stands still while the processor
 * sleeps. A file of its own: without threads nothing names it.
 */
#include "arch/arch.h"

#include "arch/armv6m/system.h"

void SysTick_handler(void);

void arch_slice_start(uint32_t cycles)
{
    SYST_RVR = cycles - 1;
    SYST_CVR = 0;
    SYST_CSR = SYST_CSR_ENABLE | SYST_CSR_TICKINT | SYST_CSR_CLKSOURCE;
}

void arch_slice_stop(void)
{
    SYST_CSR = 0;
}

void SysTick_handler(void)
{
    kernel_slice();
}
