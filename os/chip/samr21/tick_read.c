/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The tick and its alarm by the default scheme of the Hamilton paper (section 5.1), to measure
 * against: `[build] tick = "read"` links this file in place of tick.c.
 *
 * The counter is read whenever the time is needed, and each access waits until it has crossed to
 * the 32 kHz domain or back: six slow periods, in which the bus stalls and no interrupt is served.
 * The time is needed where xtimer, the timers of RIOT that the paper measured, fetches it: to know
 * when a match is served, whether the alarm is near, that it is not early, whether the counter
 * wrapped while the alarm's work was done, how far the wrap is if nothing else is set, and twice to
 * set an alarm. One more reading is our own: an interrupt may have delayed the compare value, and
 * it could have been missed.
 */
#include "chip/chip.h"

#include <lichen/interrupt.h>

#include "chip/samr21/clock.h"
#include "chip/samr21/interrupt.h"
#include "chip/samr21/reg/gclk.h"
#include "chip/samr21/reg/rtc.h"

CLOCK_NEEDS(clock_32k);

/* Nearer alarms are awaited by readings: the compare value would not have crossed by then. */
#define NEAR_TICKS 16u

/* A reading below this may belong to a wrap that is not counted yet. */
#define WRAP_TICKS 4u

/* The interrupt that continues a match at the kernel level: nothing else uses its vector. */
#define NEWS INTERRUPT_PM

static struct {
    volatile uint32_t wraps; /* of the counter's 32 bits; written by the RTC's handler alone */
    bool is_set;
    uint64_t wanted; /* the alarm's tick */
} state;

static void wait_until_crossed(void)
{
    while (RTC->STATUS & RTC_STATUS_SYNCBUSY) {
    }
}

static uint64_t read_counter(void)
{
    for (;;) {
        uint32_t wraps = state.wraps;
        uint32_t low = RTC->COUNT;
        if (low >= WRAP_TICKS && wraps == state.wraps) {
            return (uint64_t)wraps << 32 | low;
        }
    }
}

/* A match of the earlier value, until this one has crossed, is found to be early when it is served.
 */
static void write_compare(uint32_t compare)
{
    RTC->INTFLAG = RTC_INT_CMP0;
    RTC->COMP0 = compare;
    wait_until_crossed();
    RTC->INTENSET = RTC_INT_CMP0;
}

void chip_alarm_set(const uint64_t *tick)
{
    state.wanted = *tick;
    state.is_set = true;
    if (read_counter() + NEAR_TICKS < state.wanted) {
        write_compare((uint32_t)state.wanted);
        if (read_counter() < state.wanted) {
            return;
        }
    }
    NVIC_ISPR = 1u << NEWS;
}

void chip_ticks_request(void)
{
}

bool chip_ticks_pending(void)
{
    return false;
}

uint64_t chip_ticks_take(void)
{
    return read_counter();
}

static uint64_t noted;

void chip_ticks_note(void)
{
    noted = read_counter();
}

uint64_t chip_ticks_noted(void)
{
    return noted;
}

void chip_ticks_known(uint64_t *tick)
{
    *tick = read_counter();
}

bool chip_ticks_await(uint64_t *length)
{
    *length += read_counter() + 1u;
    return true;
}

void chip_ticks_start(void)
{
    clock_connect(GCLK_ID_RTC, CLOCK_32K);
    RTC->CTRL = RTC_CTRL_SWRST;
    wait_until_crossed();
    RTC->CTRL = RTC_CTRL_ENABLE;
    wait_until_crossed();
    RTC->INTENSET = RTC_INT_OVF;
    chip_interrupt_enable(INTERRUPT_RTC, LEVEL_DRIVER);
    chip_interrupt_enable(NEWS, LEVEL_KERNEL);
}

INTERRUPT(RTC)
{
    uint8_t due = RTC->INTFLAG & RTC->INTENSET;
    if (due & RTC_INT_OVF) {
        RTC->INTFLAG = RTC_INT_OVF;
        state.wraps++;
    }
    if (due & RTC_INT_CMP0) {
        RTC->INTENCLR = RTC_INT_CMP0;
        RTC->INTFLAG = RTC_INT_CMP0;
        NVIC_ISPR = 1u << NEWS;
    }
}

static void fire(void)
{
    uint64_t reached;
    do {
        reached = read_counter();
    } while (reached < state.wanted);
    state.is_set = false;
    kernel_alarm(&reached);
}

/* Without an alarm, the end of the wrap is awaited, in whose last ticks nothing is set. */
static void await_wrap(void)
{
    uint32_t low = (uint32_t)read_counter();
    if (low + NEAR_TICKS >= low) {
        write_compare(UINT32_MAX);
    }
}

/* If the counter has wrapped while the alarm's work was done, it looks again. */
INTERRUPT(PM)
{
    uint64_t served = read_counter();
    if (state.is_set && state.wanted < read_counter() + NEAR_TICKS) {
        fire();
    }
    if ((read_counter() ^ served) >> 32 != 0) {
        NVIC_ISPR = 1u << NEWS;
    } else if (state.is_set) {
        RTC->INTENSET = RTC_INT_CMP0;
    } else {
        await_wrap();
    }
}
