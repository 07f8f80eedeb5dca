/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the alarm needs of a chip (timers/samr21/alarm.h has the names): on the ATmega128 the call
 * that sets it waits until the value has crossed, so nothing limits sleep afterwards. */
#ifndef TEST_FORCE_TIMERS_ALARM_H
#define TEST_FORCE_TIMERS_ALARM_H

#include <avr/io.h>
#include <stdbool.h>

#include "chip/chip.h"

#define ALARM_CROSSES_IN CHIP_SLEEP_IDLE

/* 4.5 ticks. */
#define PERIOD_US 4400u

static inline bool alarm_crosses(void)
{
    return (ASSR & 1 << OCR0UB) != 0;
}

#endif
