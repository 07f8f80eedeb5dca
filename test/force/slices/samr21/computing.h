/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Computing for long in few instructions: each reading of the tick stalls the processor until the
 * tick has crossed clock domains (SAM R21 data sheet, "Synchronization"). So a slice has few
 * instructions for its length. The same names for every chip.
 */
#ifndef TEST_FORCE_SLICES_COMPUTING_H
#define TEST_FORCE_SLICES_COMPUTING_H

#include <stdbool.h>
#include <stdint.h>

#include "chip/samr21/reg/rtc.h"

/* Ticks. */
typedef uint32_t computing_t;
#define SLICE 164u /* 5 ms */
#define SLACK 20u  /* two readings, switches and interrupts */
#define GAP   50u  /* between two readings of one thread; beyond it, others ran */

#define SYST_CSR         (*(volatile uint32_t *)0xe000e010u)
#define SYST_CSR_TICKINT (1u << 1)

/* At the program's start. */
static inline void computing_start(void)
{
}

/* Keeps the processor until the next reading.
 * returns   it, in ticks, which wrap
 */
static inline computing_t computing_now(void)
{
    return RTC->COUNT;
}

static inline bool slice_timer_runs(void)
{
    return (SYST_CSR & SYST_CSR_TICKINT) != 0;
}

#endif
