/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A clock for the laws, which counts what alarms count: TC4 of the SAM R21, in steps of a
 * microsecond (data sheet, section TC). It wraps after 65 ms, and stands where the mote sleeps more
 * deeply than while an alarm is set. The same names for every chip. */
#ifndef TEST_FORCE_ALARMS_FINE_H
#define TEST_FORCE_ALARMS_FINE_H

#include <stdint.h>

#include "chip/samr21/clock.h"
#include "chip/samr21/reg/gclk.h"
#include "chip/samr21/reg/pm.h"
#include "chip/samr21/reg/tc.h"

#define FINE      ((struct tc *)(TC3_BASE + TC_BYTES))
#define FINE_BY_8 (3u << TC_CTRLA_PRESCALER_Pos)

/* Counts in so many microseconds, rounded down. */
#define FINE_OF_US(us) ((uint16_t)(us))

static inline void fine_wait(void)
{
    while (FINE->STATUS & TC_STATUS_SYNCBUSY) {
    }
}

static inline void fine_start(void)
{
    uint32_t clock = (uint32_t)PM_APBCMASK_TC3 << 1;

    shared_register_update(&PM->APBCMASK, clock, clock);
    clock_connect(GCLK_ID_TC4_TC5, CLOCK_8M);
    FINE->READREQ = TC_READREQ_COUNT_ALWAYS;
    fine_wait();
    FINE->CTRLA = FINE_BY_8 | TC_CTRLA_ENABLE;
    fine_wait();
}

static inline uint16_t fine_now(void)
{
    return FINE->COUNT;
}

/* Keeps the processor. One actor may do so in a run. */
static inline void fine_hold(uint16_t counts)
{
    FINE->CC[0] = (uint16_t)(fine_now() + counts);
    fine_wait();
    FINE->INTFLAG = TC_INT_MC0;
    while ((FINE->INTFLAG & TC_INT_MC0) == 0) {
    }
}

#endif
