/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A clock of about a microsecond: TC5, from OSC8M divided by 8. It wraps after 65 ms, and stands
 * still in standby. The same names for every chip. The program must need generator 3.
 */
#ifndef TEST_MOTE_FRAME_MICRO_CLOCK_H
#define TEST_MOTE_FRAME_MICRO_CLOCK_H

#include <stdint.h>

#define PM_APBCMASK        (*(volatile uint32_t *)0x40000420u)
#define PM_APBCMASK_TC5    (1u << 13)
#define GCLK_CLKCTRL       (*(volatile uint16_t *)0x40000c02u)
#define GCLK_CLKCTRL_TC5   0x431Cu /* CLKEN, generator 3, TC4 and TC5 */
#define TC5_CTRLA          (*(volatile uint16_t *)0x42003400)
#define TC5_READREQ        (*(volatile uint16_t *)0x42003402)
#define TC5_STATUS         (*(volatile uint8_t *)0x4200340F)
#define TC5_COUNT          (*(volatile uint16_t *)0x42003410)
#define TC_CTRLA_DIV8      0x302u  /* ENABLE */
#define TC_READREQ_COUNT   0xC010u /* RREQ, RCONT, the offset of COUNT */
#define TC_STATUS_SYNCBUSY 0x80u

/* What setting an alarm and delivering its event take beside it, to some microseconds; and what
 * sleeping for one takes at most. */
#define MICRO_EVENT_US 58u
#define MICRO_SLACK_US 8u
#define MICRO_SLEEP_US 170u

/* Before other tests use the bus clocks. */
static inline void micro_start(void)
{
    PM_APBCMASK |= PM_APBCMASK_TC5;
    GCLK_CLKCTRL = GCLK_CLKCTRL_TC5;
    TC5_READREQ = TC_READREQ_COUNT;
    TC5_CTRLA = TC_CTRLA_DIV8;
    while (TC5_STATUS & TC_STATUS_SYNCBUSY) {
    }
}

static inline uint16_t micro_now(void)
{
    return TC5_COUNT;
}

/* At least so many microseconds lie between two moments. */
static inline uint32_t micro_us(uint16_t from, uint16_t to)
{
    return (uint16_t)(to - from);
}

#endif
