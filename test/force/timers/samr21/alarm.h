/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the alarm needs of a chip while its value crosses to the slow clock. The same names for
 * every chip. */
#ifndef TEST_FORCE_TIMERS_ALARM_H
#define TEST_FORCE_TIMERS_ALARM_H

#include <stdbool.h>

#include "chip/chip.h"
#include "chip/samr21/reg/rtc.h"

/* The deepest sleep meanwhile. */
#define ALARM_CROSSES_IN CHIP_SLEEP_IDLE1

/* A short period: 33.4 ticks, so of two periods one is a tick shorter. */
#define PERIOD_US 1020u

/* The chip's handler begins the next crossing before a thread sees that one has ended. */
static inline bool alarm_crosses(void)
{
    return (RTC->STATUS & RTC_STATUS_SYNCBUSY) != 0;
}

#endif
