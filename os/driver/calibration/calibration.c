/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* When the slow clock is calibrated, and what follows from the marks: three, at about equal
 * distances, so that the two halves can be compared. A mark that is a match too old or too new
 * shows there.
 */
#include <lichen/calibration.h>

#include <lichen/assert.h>
#include <lichen/init.h>
#include <lichen/kernel.h>
#include <lichen/timer.h>

#include "chip/calibration.h"
#include "chip/chip.h"

/* `lichen.cmake` refers to it in programs whose tick is calibrated. */
extern const uint8_t calibration;
const uint8_t calibration = 0;

enum {
    HALF_US = 125000,
    FIRST_MARK_US = 1000,
    RETRY_US = 1000,
    TRIES = 8,
    MARKS = 3,
    PPM_MOST = 100000,
    /* A half is this long at least, in counts: two waits may have the same match. And at most, if
     * events hold the steps up: then what is computed below fits into 32 bits. */
    HALF_COUNTS_LEAST = CHIP_TICK_HZ / 16,
    HALF_COUNTS_MOST = CHIP_TICK_HZ,
};
_Static_assert(2 * (uint64_t)HALF_COUNTS_MOST * TIME_PARTS_PER_TICK < INT32_MAX, "excess_between");

/* What the next step does. */
enum step { WAKE, BEGIN, MARK };

static struct {
    uint8_t step;     /* enum step */
    uint8_t marks;    /* that have been taken */
    uint8_t tries;    /* that are left */
    uint16_t pause_s; /* after the next failure */
    struct calibration_mark mark[MARKS];
    struct calibration last;
} state;

EVENT_EXTERN(calibration_step);
static TIMER(step_timer, calibration_step);

/* An armed timer is this file's mistake: nothing else arms it. */
static void step_after(uint32_t us, enum step step)
{
    state.step = (uint8_t)step;
    int error = timer_arm_after(&step_timer, us);
    assert(error == 0);
}

/* The ticks / 15,625 by which the counts between two marks are longer than as many ticks, and
 * these ticks. */
struct excess {
    int32_t parts;
    uint32_t of;
};

static struct excess excess_between(const struct calibration_mark *from,
                                    const struct calibration_mark *to)
{
    uint32_t us = (to->us - from->us) & ((UINT32_C(1) << CHIP_CALIBRATION_US_BITS) - 1);
    uint32_t of = (to->count - from->count) * TIME_PARTS_PER_TICK;
    return (struct excess){.parts = (int32_t)(us * TIME_PARTS_PER_US - of), .of = of};
}

static int32_t ppm_of(struct excess excess)
{
    return (int32_t)((int64_t)excess.parts * 1000000 / excess.of);
}

/* Whether the measurement can be right. */
static bool is_sound(void)
{
    const struct calibration_mark *mark = state.mark;
    if (mark[1].count - mark[0].count > HALF_COUNTS_MOST ||
        mark[2].count - mark[1].count > HALF_COUNTS_MOST) {
        return false;
    }
    int32_t first = ppm_of(excess_between(&mark[0], &mark[1]));
    int32_t spread = first - ppm_of(excess_between(&mark[1], &mark[2]));
    return first < PPM_MOST && first > -PPM_MOST && spread <= CALIBRATION_SPREAD_PPM &&
           spread >= -CALIBRATION_SPREAD_PPM;
}

/* What has failed is tried again soon: perhaps events have held it up. If it fails on, perhaps
 * there is no crystal. */
static uint32_t pause_after_failure_s(void)
{
    uint16_t pause_s = state.pause_s;
    state.pause_s = pause_s < CALIBRATION_PERIOD_S / 2 ? 2 * pause_s : CALIBRATION_PERIOD_S;
    return pause_s;
}

static void conclude(bool is_measured)
{
    uint32_t pause_s = CALIBRATION_PERIOD_S;

    chip_calibration_end();
    if (is_measured && is_sound()) {
        struct excess excess = excess_between(&state.mark[0], &state.mark[2]);
        chip_calibration_apply((int32_t)((int64_t)excess.parts * (INT64_C(1) << 32) / excess.of));
        state.last.ppm = ppm_of(excess);
        state.last.count++;
        state.pause_s = CALIBRATION_RETRY_S;
    } else {
        state.last.failed++;
        pause_s = pause_after_failure_s();
    }
    step_after(pause_s * TIME_US_PER_S, WAKE);
}

/* A wait may end without a match of its own, and another one's match may be too near. */
static bool take_mark(void)
{
    struct calibration_mark *mark = &state.mark[state.marks];
    return chip_calibration_mark(mark) &&
           (state.marks == 0 || mark->count - mark[-1].count >= HALF_COUNTS_LEAST);
}

static void mark(void)
{
    if (!take_mark()) {
        if (state.tries == 0) {
            conclude(false);
        } else {
            state.tries--;
            step_after(RETRY_US, MARK);
        }
    } else if (++state.marks == MARKS) {
        conclude(true);
    } else {
        step_after(HALF_US, MARK);
    }
}

EVENT(calibration_step)
{
    switch ((enum step)state.step) {
    case WAKE:
        state.marks = 0;
        state.tries = TRIES;
        chip_calibration_wake();
        step_after(CHIP_CALIBRATION_WAKE_US, BEGIN);
        break;
    case BEGIN:
        chip_calibration_begin();
        step_after(FIRST_MARK_US, MARK);
        break;
    case MARK:
        mark();
        break;
    }
}

static void calibration_start(void)
{
    state.pause_s = CALIBRATION_RETRY_S;
    event_post(&calibration_step);
}
INIT_IN(DRIVERS, calibration_start);

/* In the step WAKE the timer is armed for the next period, or the event is pending. */
static int request(void *unused)
{
    (void)unused;
    if (state.step != WAKE) {
        return ERR_BUSY;
    }
    (void)timer_cancel(&step_timer);
    event_post(&calibration_step);
    return 0;
}

int calibration_request(void)
{
    return kernel_run(request, 0);
}

static int copy(void *last)
{
    *(struct calibration *)last = state.last;
    return 0;
}

void calibration_last(struct calibration *last)
{
    (void)kernel_run(copy, last);
}
