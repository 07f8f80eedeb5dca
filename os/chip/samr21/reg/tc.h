/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Timer/counters (SAM R21 data sheet, section TC): registers of the 16-bit mode. */
#ifndef SAMR21_REG_TC_H
#define SAMR21_REG_TC_H

#include <stddef.h>
#include <stdint.h>

struct tc {
    uint16_t volatile CTRLA;
    uint16_t volatile READREQ;
    uint8_t volatile CTRLBCLR;
    uint8_t volatile CTRLBSET;
    uint8_t volatile CTRLC;
    uint8_t reserved_07;
    uint8_t volatile DBGCTRL;
    uint8_t reserved_09;
    uint16_t volatile EVCTRL;
    uint8_t volatile INTENCLR;
    uint8_t volatile INTENSET;
    uint8_t volatile INTFLAG;
    uint8_t const volatile STATUS;
    uint16_t volatile COUNT;
    uint8_t reserved_12[6];
    union {
        uint16_t volatile CC[2];
        uint32_t volatile CC32[2]; /* in 32-bit mode */
    };
};
_Static_assert(offsetof(struct tc, INTFLAG) == 0x0e, "TC.INTFLAG");
_Static_assert(offsetof(struct tc, CC) == 0x18, "TC.CC");

/* TC3, TC4 and TC5 follow each other. */
#define TC3_BASE 0x42002C00u
#define TC_BYTES 0x400u

enum {
    TC_CTRLA_SWRST = 1 << 0,
    TC_CTRLA_ENABLE = 1 << 1,
    TC_CTRLA_MODE_COUNT32 = 2 << 2,
    TC_CTRLA_WAVEGEN_MFRQ = 1 << 5,
    TC_CTRLA_WAVEGEN_MPWM = 3 << 5,
    TC_CTRLA_PRESCALER_Pos = 8,
    TC_READREQ_COUNT = 0x8010,        /* RREQ, the offset of COUNT */
    TC_READREQ_COUNT_ALWAYS = 0xC010, /* RREQ, RCONT, the offset of COUNT */
    TC_INT_OVF = 1 << 0,
    TC_INT_MC0 = 1 << 4,
    TC_STATUS_SYNCBUSY = 1 << 7,
};

#endif
