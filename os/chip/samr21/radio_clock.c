/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The time of the radio's interrupt request (radio_line.c).
 *
 * The detection of the line's level is an event that has TCC0 capture its count of CLKM, the
 * radio's clock output, which leads to PC16 inside the package. The way there is asynchronous, and
 * the counter runs in standby. A calibration (calibration.c) counts the same clock with TCC1, and
 * disconnects it at its end; then the driver starts the counter again.
 *
 * The count is compared with the system's clock by a reading of the latter, which ends with an edge
 * of the slow clock: the counter is read right after it. Two comparisons tell how fast the crystal
 * and the slow clock are to each other, so that a time between them, or after them, is known to
 * some microseconds.
 */
#include "chip/radio_line.h"

#include <lichen/gpio.h>
#include <lichen/time.h>

#include "chip/chip.h"
#include "chip/samr21/clkm.h"
#include "chip/samr21/clock.h"
#include "chip/samr21/pin.h"
#include "chip/samr21/reg/evsys.h"
#include "chip/samr21/reg/gclk.h"
#include "chip/samr21/reg/pm.h"
#include "chip/samr21/reg/sysctrl.h"
#include "chip/samr21/reg/tcc.h"

enum {
    TICK_SHIFT = 9,    /* TIME_PARTS_PER_US is 2^9 */
    LINE = 0,          /* of the EIC */
    EVENT_CHANNEL = 1, /* calibration.c has channel 0 */
    BUS_CLOCKS = PM_APBCMASK_EVSYS | PM_APBCMASK_TCC0,
    COUNT_MASK = 0xffffff,
    /* A capture may be older than a comparison by less than this, and younger by the rest of the
     * counter's 16.8 s. */
    BEFORE_US = 0x100000,
    READINGS = 4,
    ERROR_US = 2,
    MISSES_MAX = 2, /* comparisons that may be late: then the clocks' ratio has changed */
    /* From the tick of a reading until the counter is read behind it, in cycles: of the handler of
     * the reading, nearly all of them. */
    READING_AGE_CYCLES = 80,
    /* Distances of comparisons from which the clocks' ratio follows roughly, and to 1 us in 3 s. */
    ROUGH_US = 500000,
    EXACT_US = 3000000,
};

/* What is known of the clocks' ratio. */
enum ratio {
    RATIO_UNKNOWN,
    RATIO_ROUGH,
    RATIO_EXACT,
    RATIO_PASSING, /* nothing, until the crystal has taken over (crystal.c) */
};

/* Written by the handler of the request. */
static volatile bool is_captured;
static volatile uint32_t captured;

/* The counter, by the system's clock. */
static struct {
    bool is_running;
    bool is_known;  /* and so is the rest */
    uint8_t ratio;  /* enum ratio: whether `excess` is the clocks' */
    uint8_t misses; /* comparisons in a row that were late */
    uint32_t count;
    uint64_t us;
    int32_t excess; /* of a microsecond by the system's clock for one by the crystal, in 2^-24; kept
                     * while the counter stands */
} mark;

static bool has_captured(void)
{
    for (unsigned loops = PATIENCE_LOOPS; loops > 0; loops--) {
        if (TCC0->INTFLAG & TCC_INT_MC0) {
            return true;
        }
    }
    return false;
}

void radio_clock_capture(void)
{
    is_captured = mark.is_running && has_captured();
    if (is_captured) {
        captured = TCC0->CC[0];
        TCC0->INTFLAG = TCC_INT_MC0;
    }
}

/* The crystal may stop at any moment. */
static bool has_crossed(uint32_t busy)
{
    for (unsigned loops = PATIENCE_LOOPS; loops > 0; loops--) {
        if (!(TCC0->SYNCBUSY & busy)) {
            return true;
        }
    }
    return false;
}

static void connect_event(void)
{
    EVSYS->USER = EVSYS_USER_TCC0_MC0 << EVSYS_USER_USER_Pos | (EVENT_CHANNEL + 1)
                                                                   << EVSYS_USER_CHANNEL_Pos;
    EVSYS->CHANNEL = (uint32_t)EVENT_CHANNEL << EVSYS_CHANNEL_CHANNEL_Pos |
                     (uint32_t)(EVSYS_EVGEN_EIC_EXTINT0 + LINE) << EVSYS_CHANNEL_EVGEN_Pos |
                     EVSYS_CHANNEL_PATH_ASYNCHRONOUS;
}

void radio_clock_count(void)
{
    mark.is_known = false;
    gpio_pin_connect(CLKM_PIN, 'F');
    if (!clkm_runs()) {
        return;
    }
    clock_generator_start(CLOCK_CRYSTAL, GCLK_SRC_GCLKIN, 1);
    clock_connect(GCLK_ID_TCC0_TCC1, CLOCK_CRYSTAL);
    shared_register_update(&PM->APBCMASK, BUS_CLOCKS, BUS_CLOCKS);
    connect_event();
    TCC0->CTRLA = TCC_CTRLA_SWRST;
    if (has_crossed(TCC_SYNCBUSY_SWRST)) {
        TCC0->EVCTRL = TCC_EVCTRL_MCEI0;
        TCC0->CTRLA = TCC_CTRLA_CPTEN0 | TCC_CTRLA_RUNSTDBY | TCC_CTRLA_ENABLE;
        mark.is_running = true;
    }
}

void radio_clock_stops(void)
{
    mark.is_running = false;
    mark.is_known = false;
}

/* Returns false if the clock stands. */
static bool read_count(uint32_t *count)
{
    TCC0->CTRLBSET = TCC_CTRLB_CMD_READSYNC;
    if (!has_crossed(TCC_SYNCBUSY_CTRLB | TCC_SYNCBUSY_COUNT)) {
        return false;
    }
    *count = TCC0->COUNT;
    return true;
}

/* A reading of the clock, and the count at its end. Where nothing else tells whether a handler has
 * held it up, readings are repeated until two in a row agree. */
static bool read_both(uint32_t *count, uint64_t *us, unsigned readings)
{
    uint32_t offset = 0;

    for (;;) {
        chip_ticks_request();
        while (chip_ticks_pending()) {
        }
        if (!read_count(count)) {
            return false;
        }
        *us = ((chip_ticks_take() * TIME_PARTS_PER_TICK) >> TICK_SHIFT) +
              READING_AGE_CYCLES / (chip_clock_hz() / 1000000u);
        uint32_t before = offset;
        offset = (*count - (uint32_t)*us) & COUNT_MASK;
        if (--readings == 0 || ((offset - before + ERROR_US) & COUNT_MASK) <= 2 * ERROR_US) {
            return true;
        }
    }
}

/* By how much the system's clock is ahead of what is expected of it. A handler that holds the end
 * of a reading up makes the count late, so it is less. */
static int32_t ahead(uint32_t count, uint64_t us)
{
    int32_t passed = (int32_t)((count - mark.count) & COUNT_MASK);
    int32_t expected = passed + (int32_t)((int64_t)passed * mark.excess >> 24);

    return (int32_t)((uint32_t)(us - mark.us) - (uint32_t)expected);
}

/* Whether a reading was held up. The ratio may err by half a millionth. */
static bool is_late(uint32_t count, uint64_t us)
{
    uint32_t passed = (count - mark.count) & COUNT_MASK;

    return mark.is_known && mark.ratio == RATIO_EXACT &&
           ahead(count, us) < -(ERROR_US + (int32_t)(passed >> 21));
}

/* What a reading errs by is only in part a change of the ratio. */
static void take_ratio(uint32_t count, uint64_t us)
{
    uint32_t passed = (count - mark.count) & COUNT_MASK;
    int32_t error = ahead(count, us);
    bool is_usual = mark.ratio == RATIO_EXACT && error >= -ERROR_US && error <= ERROR_US;

    if (mark.is_known && mark.ratio != RATIO_PASSING && passed >= ROUGH_US) {
        int32_t change = (int32_t)((int64_t)error * (1 << 24) / (int32_t)passed);
        mark.excess += is_usual ? change >> 2 : change;
        mark.ratio = passed >= EXACT_US ? RATIO_EXACT : RATIO_ROUGH;
    }
}

static bool clock_is_passing(void)
{
    return SYSCTRL->INTENSET & SYSCTRL_PCLKSR_XOSC32KRDY;
}

/* What was known of another slow clock tells nothing of this one. */
static void forget_passing(void)
{
    if ((mark.ratio == RATIO_PASSING) != clock_is_passing()) {
        mark.is_known = false;
        mark.ratio = clock_is_passing() ? RATIO_PASSING : RATIO_UNKNOWN;
    }
}

void radio_clock_compare(void)
{
    uint32_t count;
    uint64_t us;
    unsigned tries = READINGS;

    forget_passing();
    bool is_exact = mark.is_known && mark.ratio == RATIO_EXACT;
    bool was_late;

    do {
        if (!mark.is_running || !clkm_runs() || !read_both(&count, &us, is_exact ? 1 : READINGS)) {
            mark.is_known = false;
            return;
        }
        mark.is_known = mark.is_known && us - mark.us < COUNT_MASK; /* it has not wrapped */
        was_late = is_late(count, us);
    } while (was_late && --tries > 0);
    if (was_late && mark.misses++ < MISSES_MAX) {
        return;
    }
    mark.misses = 0;
    take_ratio(count, us);
    mark.count = count;
    mark.us = us;
    mark.is_known = true;
}

/* From the comparison to the capture, by the crystal. */
static int32_t since_mark(void)
{
    return (int32_t)((captured - mark.count + BEFORE_US) & COUNT_MASK) - BEFORE_US;
}

uint64_t radio_clock_time(uint32_t earlier)
{
    bool was_passing = mark.ratio == RATIO_PASSING && !clock_is_passing();
    if (is_captured && mark.is_known &&
        (was_passing || (mark.ratio == RATIO_UNKNOWN && since_mark() >= ROUGH_US))) {
        radio_clock_compare();
    }
    if (!is_captured || !mark.is_known) {
        return 0;
    }
    int32_t since = since_mark() - (int32_t)earlier;
    since += (int32_t)((int64_t)since * mark.excess >> 24);
    return mark.us + (uint64_t)(int64_t)since;
}
