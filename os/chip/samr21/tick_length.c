/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Ticks from counts and back, since the last calibration.
 *
 * A count is 1 + excess / 2^32 ticks, and a tick 1 + inverse / 2^32 counts. The inverse is rounded
 * up, and so is the count of a tick; so the tick of that count is never before the one that was
 * asked for, and no alarm is early.
 */
#include "chip/samr21/tick_length.h"

/* Where the two meet, and the slopes. */
static struct {
    uint64_t count;
    uint64_t tick;
    int32_t excess;
    int32_t inverse;
} length;

/* The product of a number and a fraction of 2^32, rounded down. */
static int64_t part_of(int64_t number, int32_t fraction)
{
    int64_t low = (int64_t)(uint32_t)number * fraction;
    return (number >> 32) * fraction + (low >> 32);
}

uint64_t tick_of_count(uint64_t count)
{
    int64_t since = (int64_t)(count - length.count);
    return length.tick + (uint64_t)(since + part_of(since, length.excess));
}

uint64_t tick_from_count(uint64_t count)
{
    return tick_of_count(count) + (length.excess != 0);
}

/* A tick from before the last calibration is past, and so is the calibration's own count. */
uint64_t count_of_tick(uint64_t tick)
{
    int64_t since = (int64_t)(tick - length.tick);
    if (since <= 0) {
        return length.count;
    }
    return length.count + (uint64_t)(since + part_of(since, length.inverse)) +
           (length.inverse != 0);
}

void tick_length_set(uint64_t count, int32_t excess)
{
    const uint64_t one = UINT64_C(1) << 32;
    uint64_t ticks = one + (uint64_t)(int64_t)excess; /* in 2^32 counts */

    length.tick = tick_of_count(count);
    length.count = count;
    length.excess = excess;
    /* 2^64 / ticks, rounded up, less 2^32. */
    length.inverse = (int32_t)((0 - ticks) / ticks + 2u - one);
    if (excess == 0) {
        length.inverse = 0;
    }
}
