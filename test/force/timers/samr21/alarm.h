/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the alarm needs of a chip while its value crosses to the slow clock. The same names for
 * every chip. */
#ifndef TEST_FORCE_TIMERS_ALARM_H
#define TEST_FORCE_TIMERS_ALARM_H

#include <stdbool.h>

#include "chip/chip.h"
#include "chip/samr21/reg/rtc.h"

/* A short period: 33.4 ticks, so of two periods one is a tick shorter. */
#define PERIOD_US 1020u

/* The chip's handler begins the next crossing before a thread sees that one has ended. */
static inline bool alarm_crosses(void)
{
    return (RTC->STATUS & RTC_STATUS_SYNCBUSY) != 0;
}

/* Whether the limits of sleep, of which the least is 1 more than the deepest mode, are as they must
 * be meanwhile: none is needed if the end of the crossing is not waited for. */
static inline bool alarm_may_cross(unsigned least_limit)
{
    bool awaited = (RTC->INTENSET & RTC_INT_SYNCRDY) != 0;
    return !awaited || (least_limit != 0 && least_limit <= CHIP_SLEEP_IDLE1 + 1u);
}

#endif
