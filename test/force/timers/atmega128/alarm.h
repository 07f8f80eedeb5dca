/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the alarm needs of a chip (timers/samr21/alarm.h has the names): on the ATmega128 the idle
 * thread does not sleep before the value has crossed, which the simulator reports otherwise. */
#ifndef TEST_FORCE_TIMERS_ALARM_H
#define TEST_FORCE_TIMERS_ALARM_H

#include <avr/io.h>
#include <stdbool.h>

#include "chip/chip.h"

/* 4.5 ticks. */
#define PERIOD_US 4400u

static inline bool alarm_crosses(void)
{
    return (ASSR & 1 << OCR0UB) != 0;
}

static inline bool alarm_may_cross(unsigned least_limit __attribute__((unused)))
{
    return true;
}

#endif
