/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The slice timer: SysTick. */
#ifndef SLICE_TIMER_H
#define SLICE_TIMER_H

#include <stdbool.h>
#include <stdint.h>

#define SYST_CSR        (*(volatile uint32_t *)0xe000e010u)
#define SYST_CSR_ENABLE 1u
#define SYST_CVR        (*(volatile uint32_t *)0xe000e018u)

static inline bool slice_timer_runs(void)
{
    return (SYST_CSR & SYST_CSR_ENABLE) != 0;
}

#endif
