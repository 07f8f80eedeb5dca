/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One reading of the clock, and its bound: READING_MOST_US right after a deadline was set,
 * READING_ALONE_US alone (lichen/time.h). programs.cmake has both, and SLOW_PERCENT, by how much
 * the oscillators may be too slow.
 */
#ifndef READING_H
#define READING_H

#include <lichen/time.h>

#include "reference.h"
#include "test.h"

enum {
    ALARM_US = 100, /* that comes in between, and its event */
};

/* Alarms that have fired. */
extern volatile unsigned reading_alarms;

/* The bound of a reading whose usual one is `us`. */
static inline uint32_t most(uint32_t us)
{
    return us * (100u + SLOW_PERCENT) / 100u + REFERENCE_AGE_US;
}

/* What a reading took, beyond what an alarm in between adds. */
static inline uint32_t reading_us(void)
{
    static uint64_t last;
    unsigned before_alarms = reading_alarms;
    uint32_t before = reference_now();
    uint64_t now = time_now_us();
    uint32_t took = reference_now() - before;

    expect(now >= last);
    last = now;
    return reading_alarms != before_alarms && took > ALARM_US ? took - ALARM_US : took;
}

#endif
