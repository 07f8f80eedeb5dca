/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cycles for which the processor has been awake, for chips: SysTick without its interrupt, driven
 * by the processor's clock. It stands still in standby and may go on in the idle modes, so it never
 * counts too little.
 *
 * Slices take the timer when they need it (slice.c). Its reload value says whose it is: no slice is
 * 2^24 cycles long. The control register is read only if the timer is not a slice's, since reading
 * it clears COUNTFLAG, which the slice would miss.
 */
#ifndef ARMV6M_CYCLES_AWAKE_H
#define ARMV6M_CYCLES_AWAKE_H

#include "arch/armv6m/system.h"

#define AWAKE_RELOAD  0xffffffu
#define AWAKE_RUNNING (SYST_CSR_ENABLE | SYST_CSR_CLKSOURCE)

/* What cycles_awake returns if the count has ended. */
#define CYCLES_AWAKE_UNKNOWN UINT32_MAX

/* Counts from 0. No slice is under way, and none is forgotten: nothing is ready.
 * context   event
 */
static inline void cycles_awake_start(void)
{
    SYST_RVR = AWAKE_RELOAD;
    SYST_CVR = 0;
    SYST_CSR = AWAKE_RUNNING;
}

/* Ends the count.
 * context   event
 */
static inline void cycles_awake_stop(void)
{
    if (SYST_RVR == AWAKE_RELOAD) {
        SYST_CSR = 0;
    }
}

/* The count. The value is read before the flag that it has gone beyond the range; and since reading
 * that clears it, the timer stops then, for later calls.
 * returns   cycles, less than 2^24; CYCLES_AWAKE_UNKNOWN if the count has ended, or gone beyond
 * context   event, interrupt
 */
static inline uint32_t cycles_awake(void)
{
    uint32_t left = SYST_CVR;
    if (SYST_RVR != AWAKE_RELOAD) {
        return CYCLES_AWAKE_UNKNOWN;
    }
    if (SYST_CSR != AWAKE_RUNNING) {
        SYST_CSR = 0;
        return CYCLES_AWAKE_UNKNOWN;
    }
    return (0u - left) & AWAKE_RELOAD;
}

#endif
