/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The tick and its alarm: the RTC as a 32-bit counter with one compare value (SAM R21 data sheet,
 * sections RTC and Synchronization).
 *
 * COUNT and COMP0 lie in the 32 kHz domain. A plain read of COUNT, or any access to either while a
 * synchronization is under way, stalls the bus for up to six slow periods, and with it every
 * interrupt. So a read is requested first and STATUS, which lies in the fast domain, is polled:
 * the same time passes, but interrupts run. A write of COMP0 is left to cross by itself; whoever
 * comes next waits for it. All of this happens at the kernel level, so that nothing starts a
 * synchronization between the last look at STATUS and the access.
 *
 * Setting an alarm must not lose a tick that comes while the compare value crosses domains. A tick
 * that is further away than a crossing takes cannot. For one that is nearer, the
 * value is in force first, then what older matches left is cleared, then the counter is read. If
 * the tick lies ahead of that reading it will match; if not, the interrupt is made pending by hand.
 */
#include "chip/chip.h"

#include <lichen/interrupt.h>

#include "chip/samr21/clock.h"
#include "chip/samr21/interrupt.h"
#include "chip/samr21/reg/gclk.h"
#include "chip/samr21/reg/rtc.h"

static uint32_t reached; /* when the alarm fires: a tick that has passed */

static void wait_until_synchronized(void)
{
    while (RTC->STATUS & RTC_STATUS_SYNCBUSY) {
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
    wait_until_synchronized();
    RTC->READREQ = RTC_READREQ_RREQ | RTC_READREQ_ADDR_COUNT;
}

bool chip_ticks_pending(void)
{
    return RTC->STATUS & RTC_STATUS_SYNCBUSY;
}

uint32_t chip_ticks_take(void)
{
    wait_until_synchronized();
    return RTC->COUNT;
}

static uint32_t now(void)
{
    chip_ticks_request();
    return chip_ticks_take();
}

static void match_at(uint32_t tick)
{
    RTC->INTENCLR = RTC_INT_CMP0;
    wait_until_synchronized();
    RTC->COMP0 = tick;
    reached = tick;
}

static void match_enable(void)
{
    RTC->INTFLAG = RTC_INT_CMP0;
    NVIC_ICPR = UINT32_C(1) << INTERRUPT_RTC;
    RTC->INTENSET = RTC_INT_CMP0;
}

void chip_alarm_set_ahead(uint32_t tick)
{
    match_at(tick);
    match_enable();
}

void chip_alarm_set(uint32_t tick)
{
    if ((int32_t)(tick - now()) >= 2 * (int32_t)CHIP_ALARM_MIN_TICKS) {
        chip_alarm_set_ahead(tick);
        return;
    }
    match_at(tick);
    wait_until_synchronized();
    match_enable();
    uint32_t present = now();
    if ((int32_t)(tick - present) <= 0) {
        reached = present;
        NVIC_ISPR = UINT32_C(1) << INTERRUPT_RTC;
    }
}

/* The source is disabled until the next alarm: a match made pending by hand may be followed by the
 * counter's own, which must not wake the processor. */
INTERRUPT(RTC)
{
    RTC->INTENCLR = RTC_INT_CMP0;
    RTC->INTFLAG = RTC_INT_CMP0;
    kernel_alarm(reached);
}
