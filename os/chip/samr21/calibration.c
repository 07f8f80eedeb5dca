/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The slow clock against the radio's crystal.
 *
 * The radio's clock output CLKM leads to PC16 inside the package, and has 1 MHz after a reset of
 * the radio. It feeds generator 1, which TCC1 counts with 24 bits. Each match of the RTC is an
 * event that captures the count, so neither the processor nor an interrupt is in the way (SAM R21
 * data sheet, sections GCLK, EVSYS, RTC and TCC). All of this goes on in standby.
 *
 * A capture must be read before the next one, so the handler of the match does, which is always the
 * first to know. It waits for the capture, which takes three counts. What TCC1 is waited for has an
 * end, since the crystal may stand; the clock controller's own registers would wait for ever, so
 * they are written only while it has been seen to oscillate. If it stops in a measurement, TCC1
 * stays connected to it until it is seen again.
 */
#include "chip/calibration.h"

#include <lichen/gpio.h>

#include "chip/chip.h"
#include "chip/samr21/clkm.h"
#include "chip/samr21/clock.h"
#include "chip/samr21/pin.h"
#include "chip/samr21/radio.h"
#include "chip/samr21/reg/evsys.h"
#include "chip/samr21/reg/gclk.h"
#include "chip/samr21/reg/pm.h"
#include "chip/samr21/reg/tcc.h"
#include "chip/samr21/tick.h"
#include "chip/samr21/tick_length.h"

enum {
    EVENT_CHANNEL = 0,
    BUS_CLOCKS = PM_APBCMASK_EVSYS | PM_APBCMASK_TCC1,
};

/* Written by the handler while `counts`; else by the functions below. */
static volatile bool counts;
static volatile bool is_marked;
static volatile struct calibration_mark latest;

void chip_calibration_wake(void)
{
    gpio_pin_connect(CLKM_PIN, 'F');
    radio_clock_start();
}

/* A match of the RTC captures the count. */
static void connect_events(void)
{
    EVSYS->USER = EVSYS_USER_TCC1_MC0 << EVSYS_USER_USER_Pos | (EVENT_CHANNEL + 1)
                                                                   << EVSYS_USER_CHANNEL_Pos;
    EVSYS->CHANNEL = EVENT_CHANNEL << EVSYS_CHANNEL_CHANNEL_Pos |
                     EVSYS_EVGEN_RTC_CMP0 << EVSYS_CHANNEL_EVGEN_Pos |
                     EVSYS_CHANNEL_PATH_ASYNCHRONOUS;
}

/* The crystal may stop at any moment. */
static bool has_crossed(uint32_t busy)
{
    for (unsigned loops = PATIENCE_LOOPS; loops > 0; loops--) {
        if (!(TCC1->SYNCBUSY & busy)) {
            return true;
        }
    }
    return false;
}

void chip_calibration_begin(void)
{
    if (!clkm_runs()) {
        return;
    }
    clock_generator_start(CLOCK_CRYSTAL, GCLK_SRC_GCLKIN, 1);
    clock_connect(GCLK_ID_TCC0_TCC1, CLOCK_CRYSTAL);
    shared_register_update(&PM->APBCMASK, BUS_CLOCKS, BUS_CLOCKS);
    connect_events();
    TCC1->CTRLA = TCC_CTRLA_SWRST;
    if (has_crossed(TCC_SYNCBUSY_SWRST)) {
        TCC1->EVCTRL = TCC_EVCTRL_MCEI0;
        TCC1->CTRLA = TCC_CTRLA_CPTEN0 | TCC_CTRLA_RUNSTDBY | TCC_CTRLA_ENABLE;
        is_marked = false;
        counts = true;
    }
}

static bool has_captured(void)
{
    for (unsigned loops = PATIENCE_LOOPS; loops > 0; loops--) {
        if (TCC1->INTFLAG & TCC_INT_MC0) {
            return true;
        }
    }
    return false;
}

void tick_matched(uint32_t count)
{
    if (!counts || !has_captured()) {
        return;
    }
    latest.count = count;
    latest.us = TCC1->CC[0];
    TCC1->INTFLAG = TCC_INT_MC0;
    is_marked = true;
}

/* A match during the copy makes it anew. */
bool chip_calibration_mark(struct calibration_mark *mark)
{
    if (!is_marked) {
        return false;
    }
    do {
        is_marked = false;
        mark->count = latest.count;
        mark->us = latest.us;
    } while (is_marked);
    return true;
}

/* The counter is reset before its clock stops, so that its registers are at rest. */
void chip_calibration_end(void)
{
    counts = false;
    if ((PM->APBCMASK.value & PM_APBCMASK_TCC1) && clkm_runs()) {
        TCC1->CTRLA = TCC_CTRLA_SWRST;
        (void)has_crossed(TCC_SYNCBUSY_SWRST);
        clock_disconnect(GCLK_ID_TCC0_TCC1);
        clock_generator_stop(CLOCK_CRYSTAL);
        shared_register_update(&PM->APBCMASK, BUS_CLOCKS, 0);
    }
    radio_clock_stop();
}

void chip_calibration_apply(int32_t excess)
{
    tick_length_change(excess);
}
