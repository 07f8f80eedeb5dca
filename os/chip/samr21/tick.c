/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The tick and its alarm: the RTC as a 32-bit counter with one compare value (SAM R21 data sheet,
 * sections RTC and Synchronization).
 *
 * COUNT and COMP0 lie in the 32 kHz domain. A plain read of COUNT, or any access to either while a
 * synchronization is under way, stalls the bus for up to six slow periods, and with it every
 * interrupt. So nothing is accessed before STATUS, which lies in the fast domain, says that it may
 * be: readings are requested, and whoever must have one at once polls; a write of COMP0 is left to
 * cross by itself.
 *
 * A reading that the kernel awaits, and setting an alarm, poll for nothing: the interrupt SYNCRDY
 * says that the last crossing has ended. An alarm is set in a few steps:
 *
 *   ASK      request a reading
 *   DECIDE   by the reading: a tick that has passed fires; one that is further away than a compare
 *            value takes to cross is compared with; in between, ask again
 *   COMPARE  write the compare value; if the tick was not far ahead, ask and decide once more,
 *            since an interrupt may have held up the writing until the tick had passed
 *
 * So a tick is never lost: either it was certainly ahead when it was compared with, or a later
 * reading tells that it has passed. The chip does not sleep deeper than the bus that brings SYNCRDY
 * while a step is due.
 */
#include "chip/chip.h"

#include <lichen/interrupt.h>
#include <lichen/power.h>

#include "chip/samr21/clock.h"
#include "chip/samr21/interrupt.h"
#include "chip/samr21/reg/gclk.h"
#include "chip/samr21/reg/rtc.h"

/* An alarm that is less far ahead than this, ticks, is waited for by readings: six for the compare
 * value to cross, the age of the reading, and interrupts between reading and writing. */
#define NEAR_TICKS (2 * CHIP_ALARM_MIN_TICKS)

/* An alarm that is further ahead than this, 62 ms, is certainly so when the compare value has
 * crossed: interrupts do not keep the kernel level out for so long. */
#define SURE_TICKS 2048u

/* What is to be done when the crossing that is under way, if any, has ended. */
static enum step { REST, ASK, DECIDE, COMPARE } step;
static uint32_t wanted; /* the alarm's tick */
static bool sure;       /* it is ahead of whatever holds up setting it */
static bool compared;   /* the compare value is written */
static bool asked;      /* a reading was requested and is not read */
static bool read;       /* `last` was read since chip_ticks_request */
static uint32_t last;   /* the last reading */

/* The reading that the kernel awaits: any that is requested after it was wanted serves. */
static enum await { NOT_AWAITED, WANTED, UNDER_WAY, ARRIVED } awaited;

POWER_LIMIT(crossing_limit);

static bool is_due(void)
{
    return step != REST || awaited != NOT_AWAITED;
}

/* The handler below stays out between these: cooperative threads come here without the kernel
 * level.
 */
static void handler_hold(void)
{
    RTC->INTENCLR = RTC_INT_SYNCRDY;
    __asm__ volatile("" : : : "memory");
}

static void handler_release(void)
{
    __asm__ volatile("" : : : "memory");
    if (is_due()) {
        RTC->INTENSET = RTC_INT_SYNCRDY;
    }
}

/* Nothing waits for a crossing to end. */
static void rest(void)
{
    if (!is_due()) {
        RTC->INTENCLR = RTC_INT_SYNCRDY;
        power_unlimit(&crossing_limit);
    }
}

static void wait_until_synchronized(void)
{
    while (RTC->STATUS & RTC_STATUS_SYNCBUSY) {
    }
}

/* Anything that crosses next would drop a reading that waits. While nothing is crossing. */
static void keep_reading(void)
{
    if (asked) {
        last = RTC->COUNT;
        asked = false;
        read = true;
        if (awaited == UNDER_WAY) {
            awaited = ARRIVED;
        }
    }
}

static void request(void)
{
    RTC->READREQ = RTC_READREQ_RREQ | RTC_READREQ_ADDR_COUNT;
    asked = true;
    if (awaited == WANTED) {
        awaited = UNDER_WAY;
    }
}

void chip_ticks_start(void)
{
    clock_connect(GCLK_ID_RTC, CLOCK_32K);
    RTC->CTRL = RTC_CTRL_SWRST;
    wait_until_synchronized();
    RTC->CTRL = RTC_CTRL_ENABLE;
    wait_until_synchronized();
    chip_interrupt_enable(INTERRUPT_RTC, LEVEL_KERNEL);
}

void chip_ticks_request(void)
{
    handler_hold();
    wait_until_synchronized();
    keep_reading();
    request();
    read = false;
    handler_release();
}

bool chip_ticks_pending(void)
{
    return RTC->STATUS & RTC_STATUS_SYNCBUSY;
}

uint32_t chip_ticks_take(void)
{
    handler_hold();
    if (!read) {
        wait_until_synchronized();
        keep_reading();
    }
    uint32_t ticks = last;
    handler_release();
    return ticks;
}

void chip_ticks_await(void)
{
    handler_hold();
    awaited = WANTED;
    power_limit(&crossing_limit, CHIP_SLEEP_IDLE1);
    if (step == REST && !chip_ticks_pending()) {
        keep_reading();
        RTC->INTFLAG = RTC_INT_SYNCRDY;
        request();
    }
    handler_release();
}

static void compare(void)
{
    RTC->COMP0 = wanted;
    RTC->INTFLAG = RTC_INT_CMP0;
    RTC->INTENSET = RTC_INT_CMP0;
    compared = true;
    step = sure ? REST : ASK;
}

/* returns   whether the alarm's tick has passed */
static bool decide(void)
{
    int32_t ahead = (int32_t)(wanted - last);
    if (ahead <= 0) {
        RTC->INTENCLR = RTC_INT_CMP0;
        step = REST;
        return true;
    }
    if (compared) {
        step = REST;
    } else if (ahead < (int32_t)NEAR_TICKS) {
        request();
    } else {
        sure = ahead >= (int32_t)SURE_TICKS;
        step = COMPARE;
    }
    return false;
}

/* Makes the steps that can be made now. The flag is cleared first: a crossing that ends now sets it
 * again.
 * returns   whether the alarm's tick has passed */
static bool proceed(void)
{
    RTC->INTFLAG = RTC_INT_SYNCRDY;
    if (RTC->STATUS & RTC_STATUS_SYNCBUSY) {
        return false;
    }
    keep_reading();
    bool passed = step == DECIDE && decide();
    if (step == ASK) {
        step = DECIDE;
        request();
    } else if (step == COMPARE) {
        compare();
    } else if (awaited == WANTED) {
        request();
    }
    return passed;
}

void chip_alarm_set(uint32_t tick, uint32_t left)
{
    handler_hold();
    RTC->INTENCLR = RTC_INT_CMP0;
    wanted = tick;
    sure = left >= SURE_TICKS;
    compared = false;
    step = left >= NEAR_TICKS ? COMPARE : ASK;
    power_limit(&crossing_limit, CHIP_SLEEP_IDLE1);
    (void)proceed(); /* nothing has passed before it was asked for */
    rest();
    handler_release();
}

INTERRUPT(RTC)
{
    if (RTC->INTENSET & RTC->INTFLAG & RTC_INT_CMP0) {
        RTC->INTENCLR = RTC_INT_CMP0;
        RTC->INTFLAG = RTC_INT_CMP0;
        step = REST;
        kernel_alarm(wanted);
    } else if (proceed()) {
        kernel_alarm(last);
    }
    if (awaited == ARRIVED) {
        awaited = NOT_AWAITED;
        kernel_ticks(last);
    }
    rest();
}
