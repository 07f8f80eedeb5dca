/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Timer/counter in 32-bit mode (SAM R21 data sheet, section TC). TC4 counts, TC5 is its upper
 * half. */
#ifndef SAMR21_REG_TC_H
#define SAMR21_REG_TC_H

#include <stddef.h>
#include <stdint.h>

struct tc_count32 {
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
    uint32_t volatile COUNT;
    uint32_t reserved_14;
    uint32_t volatile CC[2];
};
_Static_assert(offsetof(struct tc_count32, STATUS) == 0x0f, "TC.STATUS");
_Static_assert(offsetof(struct tc_count32, CC) == 0x18, "TC.CC");

static struct tc_count32 *const TC4 = (struct tc_count32 *)0x42003000;

enum {
    TC_CTRLA_ENABLE = 1 << 1,
    TC_CTRLA_MODE_COUNT32 = 2 << 2,
    TC_CTRLA_PRESCALER_DIV8 = 3 << 8,
};

enum {
    TC_READREQ_ADDR_COUNT = 0x10,
    TC_READREQ_RCONT = 1 << 14,
    TC_READREQ_RREQ = 1 << 15,
};

enum {
    TC_STATUS_SYNCBUSY = 1 << 7,
};

#endif
