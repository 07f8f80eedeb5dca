/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The slice timer: SysTick. */
#ifndef SLICE_TIMER_H
#define SLICE_TIMER_H

#include <stdbool.h>
#include <stdint.h>

#define SYST_CSR         (*(volatile uint32_t *)0xe000e010u)
#define SYST_CSR_TICKINT (1u << 1)
#define SYST_CVR         (*(volatile uint32_t *)0xe000e018u)

static inline bool slice_timer_runs(void)
{
    return (SYST_CSR & SYST_CSR_TICKINT) != 0;
}

#endif
