/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The times of counts of captures (capture.c).
 *
 * The counter is compared with the system's clock at the beginning of a tick: the counter of ticks
 * is read until it changes. Two comparisons tell how fast the crystals are to each other.
 */
#include "chip/capture.h"

#include <lichen/assert.h>
#include <lichen/time.h>

#include "chip/chip.h"
#include "chip/atmega128/registers.h"

enum {
    /* Readings of the counter of ticks follow each other within so many counts, unless an interrupt
     * comes between them. */
    CLOSE_COUNTS = 4,
    ERROR_MAX_US = 32000,
    EDGES = 4,      /* ticks that are waited for at most */
    UNCERTAIN = 2,  /* the first ticks of a wrap take longer to read (tick.c) */
    TICK_SHIFT = 4, /* TIME_PARTS_PER_US is 2^4 */
    HALF_US = 1 << (TICK_SHIFT - 1),
};

/* Counts after which two comparisons tell the ratio of the clocks well enough. */
#define RATIO_COUNTS 500000u

/* The counter by the system's clock; at the kernel level. */
static struct {
    bool is_known;
    uint32_t count;
    uint64_t us;
    int32_t excess; /* of the microseconds of a count above one, in 2^-24 */
} mark;

/* Microseconds of a count above one, in 2^-24, as the crystal should be. */
static int32_t nominal_excess(void)
{
    uint32_t hz = chip_clock_hz();

    assert(hz > 7000000u && hz <= 8000000u);
    return (int32_t)(((8000000u - hz) << 12) / (hz >> 4) << 8);
}

void capture_time_forget(void)
{
    mark.is_known = false;
    mark.excess = nominal_excess();
}

/* Waits for the beginning of a tick. Returns the count then. Only the low byte of the count is read
 * meanwhile, in few cycles: if it has gone further than in a loop, an interrupt came between. */
static uint32_t await_tick(void)
{
    uint8_t edges = EDGES;
    uint8_t tick = TCNT0;
    uint8_t low = TCNT1L;

    for (;;) {
        uint8_t tick_now = TCNT0;
        uint8_t low_now = TCNT1L;
        uint8_t passed = (uint8_t)(low_now - low);
        low = low_now;
        if (tick_now != tick) {
            tick = tick_now;
            if ((passed <= CLOSE_COUNTS && tick >= UNCERTAIN) || --edges == 0) {
                break;
            }
        }
    }
    uint32_t now = capture_now();
    return now - (uint8_t)((uint8_t)now - low);
}

/* The microseconds of some counts. */
static int32_t us_passed(int32_t counts)
{
    return counts + (int32_t)((int64_t)counts * mark.excess >> 24);
}

/* How much longer the counts since the last comparison took than they should have, in parts of
 * them, says how far the ratio is off. */
static void correct(uint32_t passed, uint32_t us)
{
    int32_t error = (int32_t)us - us_passed((int32_t)passed);

    if (error >= -ERROR_MAX_US && error <= ERROR_MAX_US) {
        mark.excess += error * (INT32_C(1) << 16) / (int32_t)(passed >> 8);
    }
}

void capture_time_compare(void)
{
    uint32_t count = await_tick();
    uint64_t us = ((chip_ticks_take() * TIME_PARTS_PER_TICK) + HALF_US) >> TICK_SHIFT;
    uint32_t passed = count - mark.count;

    if (mark.is_known && passed >= RATIO_COUNTS && passed <= INT32_MAX) {
        correct(passed, (uint32_t)(us - mark.us));
    }
    mark.count = count;
    mark.us = us;
    mark.is_known = true;
}

uint64_t capture_time(uint32_t count)
{
    if (!mark.is_known) {
        capture_time_compare();
    }
    return mark.us + (uint64_t)(int64_t)us_passed((int32_t)(count - mark.count));
}
