/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The tick and its alarm: the RTC as a 32-bit counter with one compare value (SAM R21 data sheet,
 * sections RTC and Synchronization).
 *
 * COUNT and COMP0 lie in the 32 kHz domain. A plain read of COUNT, or any access to either while a
 * synchronization is under way, stalls the bus for up to six slow periods, and with it every
 * interrupt. So nothing is accessed before STATUS, which lies in the fast domain, says that it may
 * be. Readings are requested, a compare value is written and left to cross, and SYNCRDY, the
 * interrupt at the end of a crossing, makes the next step.
 *
 * The handler is at the drivers' level, so events that take long hold up neither a step nor the
 * count of wraps. What the kernel is to know it hears from a second handler, at its own level, that
 * the first one requests.
 *
 * A reading is the counter at some moment after its request, with the wraps that were counted at
 * the request. It says nothing of how long ago that was: interrupts may have come in between. So no
 * step takes the present for near a reading. An alarm is set in these steps:
 *
 *   COMPARE   write the compare value, unless the tick is nearer than a crossing takes
 *   ASK       request a reading
 *   DECIDE    by the reading: a tick that has passed fires. One that is ahead is ahead of a reading
 *             made after the compare value had crossed, so the match is still to come: ARMED
 *
 * The chip does not sleep deeper than the bus that brings SYNCRDY while a step is due.
 */
#include "chip/chip.h"

#include <lichen/interrupt.h>
#include <lichen/power.h>

#include "chip/samr21/clock.h"
#include "chip/samr21/interrupt.h"
#include "chip/samr21/reg/gclk.h"
#include "chip/samr21/reg/rtc.h"

/* An alarm that is less far ahead than this, ticks, is waited for by readings: the compare value
 * would not have crossed by then. */
#define NEAR_TICKS 16u

/* An alarm that is further ahead than this matches once for each wrap until it is reached. */
#define FAR_TICKS (UINT64_C(1) << 31)

/* So many ticks after it, at the latest, has a match set its flag. */
#define SETTLING_TICKS 16u

/* A reading of less may have been requested before its wrap was counted: a crossing takes six
 * ticks, and the flag has two. */
#define WRAP_TICKS 8u

/* The interrupt that brings news to the kernel level: nothing else uses its vector. */
#define NEWS INTERRUPT_PTC

/* What became of a wish for a reading: any that is requested after the wish serves. From WANTED on
 * there is something to do. */
enum wish { NO_WISH, ARRIVED, WANTED, UNDER_WAY };

/* The alarm's state; from ASK on, its next step. */
enum alarm { OFF, REACHED, ARMED, ASK, DECIDE, COMPARE };

static volatile uint32_t wraps; /* of the counter's 32 bits; written by the handler */

/* Written by the handler and, while that is held, by the functions below. One structure, so that
 * one address serves all. */
static struct {
    volatile bool held;      /* the kernel level stays out as well: cooperative threads come here
                                without it */
    bool asked;              /* a reading was requested and is not kept yet */
    bool asked_amid_wrap;    /* `wraps` may have changed just then */
    volatile uint8_t polled; /* enum wish: of those who wait */
    uint8_t awaited;         /* enum wish: of the kernel */
    uint8_t alarm;           /* enum alarm */
    bool compared;           /* the compare value is that of `wanted` */
    bool matched;            /* and has matched since it was written */
    bool superseded_matched; /* so had the one before */
    bool unread_compare;     /* it was written after the last reading */
    bool doubtful;           /* a match may be another one than that of `wanted` */
    uint32_t asked_wraps;    /* `wraps` at the request */
    uint32_t compare;        /* the compare value */
    uint32_t superseded;     /* the one before */
    uint64_t known;          /* a moment of the past: the last reading, or alarm */
    uint64_t arrived;        /* the reading that the kernel awaited */
    uint64_t wanted;         /* the alarm's tick */
    uint64_t reached;        /* a tick at or after it */
} state;

POWER_LIMIT(crossing_limit);

/* ---------------------------------------------------------------- the handler, state.held or not
 */
static bool is_due(void)
{
    return state.alarm >= ASK || state.polled >= WANTED || state.awaited >= WANTED;
}

/* returns   the interrupts that are to come */
static uint8_t conclude(void)
{
    if (!is_due()) {
        if (crossing_limit != 0) {
            power_unlimit(&crossing_limit);
        }
        return state.alarm == ARMED ? RTC_INT_CMP0 : 0;
    }
    if (crossing_limit == 0) {
        power_limit(&crossing_limit, CHIP_SLEEP_IDLE1);
    }
    return state.alarm == ARMED ? RTC_INT_SYNCRDY | RTC_INT_CMP0 : RTC_INT_SYNCRDY;
}

static void tell_news(void)
{
    if (state.alarm == REACHED || state.awaited == ARRIVED) {
        NVIC_ISPR = 1u << NEWS;
    }
}

/* The handler does nothing but count wraps between these. */
static void hold(void)
{
    state.held = true;
    RTC->INTENCLR = RTC_INT_SYNCRDY | RTC_INT_CMP0;
    __asm__ volatile("" : : : "memory");
}

static void release(void)
{
    uint8_t interrupts = conclude();
    __asm__ volatile("" : : : "memory");
    state.held = false;
    RTC->INTENSET = interrupts;
    tell_news();
}

/* ---------------------------------------------------------------- readings */
static bool is_crossing(void)
{
    return RTC->STATUS & RTC_STATUS_SYNCBUSY;
}

/* While nothing is crossing. */
static void request(void)
{
    state.asked_wraps = wraps;
    RTC->READREQ = RTC_READREQ_RREQ | RTC_READREQ_ADDR_COUNT;
    state.asked_amid_wrap = (RTC->INTFLAG & RTC_INT_OVF) != 0 || wraps != state.asked_wraps;
    state.asked = true;
    if (state.polled == WANTED) {
        state.polled = UNDER_WAY;
    }
    if (state.awaited == WANTED) {
        state.awaited = UNDER_WAY;
    }
}

/* Whether a wrap came so near the request of a reading that `asked_wraps` may not be its own. The
 * start counts as one: it costs the first reading a quarter of a millisecond. */
static bool is_amid_wrap(uint32_t low)
{
    return state.asked_amid_wrap || low < WRAP_TICKS;
}

/* Keeps a reading that has crossed, before anything that crosses next would drop it; or requests
 * another one. */
static void keep_reading(void)
{
    if (!state.asked) {
        return;
    }
    uint32_t low = RTC->COUNT;
    if (is_amid_wrap(low)) {
        request();
        return;
    }
    state.asked = false;
    state.unread_compare = false;
    state.known = (uint64_t)state.asked_wraps << 32 | low;
    if (state.polled == UNDER_WAY) {
        state.polled = ARRIVED;
    }
    if (state.awaited == UNDER_WAY) {
        state.awaited = ARRIVED;
        state.arrived = state.known;
    }
}

/* ---------------------------------------------------------------- the alarm's steps */
static void reach(uint64_t tick)
{
    state.alarm = REACHED;
    state.reached = tick;
}

/* The old compare value may match, and its flag may be set, until the new one has crossed, which is
 * before the next step. */
static void write_compare(void)
{
    state.superseded = state.compare;
    state.superseded_matched = state.matched;
    state.compare = (uint32_t)state.wanted;
    state.matched = false;
    RTC->COMP0 = state.compare;
    state.compared = true;
    state.unread_compare = true;
    state.alarm = ASK;
}

static void ask(void)
{
    RTC->INTFLAG = RTC_INT_CMP0;
    request();
    state.alarm = DECIDE;
}

/* The flag of a last match of the superseded compare value may come now. */
static bool is_outdated_due(void)
{
    return !state.superseded_matched && (uint32_t)state.known - state.superseded < SETTLING_TICKS;
}

static void decide(void)
{
    uint64_t ahead = state.wanted - state.known;
    if (state.compared) {
        state.doubtful = ahead >= FAR_TICKS || is_outdated_due();
        state.alarm = ARMED;
    } else {
        state.alarm = ahead < NEAR_TICKS ? ASK : COMPARE;
    }
}

/* Makes the steps that can be made now. Between two compare values there is a reading, so that one
 * who sets the alarm again and again does not keep it from being reached. The flag is cleared
 * first: a crossing that ends now sets it again. */
static void proceed(void)
{
    RTC->INTFLAG = RTC_INT_SYNCRDY;
    if (is_crossing()) {
        return;
    }
    keep_reading();
    if (state.asked) {
        return;
    }
    if (state.alarm >= ASK && state.wanted <= state.known) {
        reach(state.known);
    } else if (state.alarm == DECIDE) {
        decide();
    }
    if (state.alarm == ASK) {
        ask();
    } else if (state.alarm == COMPARE) {
        write_compare();
    } else if (state.polled == WANTED || state.awaited == WANTED) {
        request();
    }
}

void chip_alarm_set(uint64_t tick)
{
    hold();
    state.wanted = tick;
    state.compared = false;
    if (tick <= state.known) {
        reach(state.known);
    } else {
        bool ask = state.unread_compare || tick - state.known < NEAR_TICKS;
        state.alarm = ask ? ASK : COMPARE;
        proceed();
    }
    release();
}

/* The match that was waited for, or another one. */
static void serve_match(void)
{
    RTC->INTFLAG = RTC_INT_CMP0;
    if (state.doubtful) {
        state.alarm = ASK;
        proceed();
        return;
    }
    state.matched = true;
    if (state.known < state.wanted) {
        state.known = state.wanted;
    }
    reach(state.wanted);
}

/* ---------------------------------------------------------------- readings for others */
void chip_ticks_request(void)
{
    hold();
    state.polled = WANTED;
    proceed();
    release();
}

bool chip_ticks_pending(void)
{
    return state.polled >= WANTED;
}

uint64_t chip_ticks_take(void)
{
    while (chip_ticks_pending()) {
    }
    hold();
    uint64_t ticks = state.known;
    release();
    return ticks;
}

static void deliver_reading(void)
{
    uint64_t ticks = state.arrived;
    state.awaited = NO_WISH;
    release();
    kernel_ticks(ticks);
}

/* A reading that crosses is no older than a crossing is long. One that has ended may be of any age:
 * it is for those who awaited it before, and the next one is requested before they begin to cross
 * something else. */
uint32_t chip_ticks_await(void)
{
    hold();
    bool crosses = is_crossing();
    if (!crosses) {
        keep_reading();
    }
    bool has_ended = state.awaited == ARRIVED;
    uint64_t ended = state.arrived;
    bool joins = crosses && state.asked;
    if (state.asked) {
        state.awaited = UNDER_WAY;
    } else {
        state.awaited = WANTED;
        if (!crosses) {
            request();
        }
    }
    release();
    if (has_ended) {
        kernel_ticks(ended);
    }
    return joins ? CHIP_READING_TICKS : 0;
}

/* ---------------------------------------------------------------- interrupts */
static void wait_until_crossed(void)
{
    while (is_crossing()) {
    }
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
        wraps++;
    }
    if (due & RTC_INT_CMP0) {
        serve_match();
    } else if (due & RTC_INT_SYNCRDY) {
        proceed();
    } else {
        return; /* somebody may hold the handler */
    }
    uint8_t interrupts = conclude();
    RTC->INTENCLR = (uint8_t)~interrupts & (RTC_INT_SYNCRDY | RTC_INT_CMP0);
    RTC->INTENSET = interrupts;
    tell_news();
}

INTERRUPT(PTC)
{
    if (state.held) {
        return; /* release() requests it again */
    }
    hold();
    if (state.alarm == REACHED) {
        state.alarm = OFF;
        uint64_t tick = state.reached;
        release();
        kernel_alarm(tick);
        hold();
    }
    if (state.awaited == ARRIVED) {
        deliver_reading();
    } else {
        release();
    }
}
