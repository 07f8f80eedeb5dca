/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Real-time counter in mode 0: 32 bits, one compare (SAM R21 data sheet, section RTC). */
#ifndef SAMR21_REG_RTC_H
#define SAMR21_REG_RTC_H

#include <stddef.h>
#include <stdint.h>

struct rtc_mode0 {
    uint16_t volatile CTRL;
    uint16_t volatile READREQ;
    uint16_t volatile EVCTRL;
    uint8_t volatile INTENCLR;
    uint8_t volatile INTENSET;
    uint8_t volatile INTFLAG;
    uint8_t reserved_09;
    uint8_t volatile STATUS;
    uint8_t volatile DBGCTRL;
    uint8_t volatile FREQCORR;
    uint8_t reserved_0d[3];
    uint32_t volatile COUNT;
    uint32_t reserved_14;
    uint32_t volatile COMP0;
};
_Static_assert(offsetof(struct rtc_mode0, STATUS) == 0x0a, "RTC.STATUS");
_Static_assert(offsetof(struct rtc_mode0, COMP0) == 0x18, "RTC.COMP0");

static struct rtc_mode0 *const RTC = (struct rtc_mode0 *)0x40001400;

enum {
    RTC_CTRL_SWRST = 1 << 0,
    RTC_CTRL_ENABLE = 1 << 1,
};

enum {
    RTC_READREQ_ADDR_COUNT = 0x10,
    RTC_READREQ_RREQ = 1 << 15,
};

enum {
    RTC_EVCTRL_CMPEO0 = 1 << 8,
};

/* Bits of INTENCLR, INTENSET and INTFLAG. */
enum {
    RTC_INT_CMP0 = 1 << 0,
    RTC_INT_SYNCRDY = 1 << 6,
    RTC_INT_OVF = 1 << 7,
};

enum {
    RTC_STATUS_SYNCBUSY = 1 << 7,
};

#endif
