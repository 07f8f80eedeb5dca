/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Watchdog timer (SAM R21 data sheet, section WDT). */
#ifndef SAMR21_REG_WDT_H
#define SAMR21_REG_WDT_H

#include <stddef.h>
#include <stdint.h>

struct wdt {
    uint8_t volatile CTRL;
    uint8_t volatile CONFIG;
    uint8_t volatile EWCTRL;
    uint8_t reserved_03;
    uint8_t volatile INTENCLR;
    uint8_t volatile INTENSET;
    uint8_t volatile INTFLAG;
    uint8_t const volatile STATUS;
    uint8_t volatile CLEAR;
};
_Static_assert(offsetof(struct wdt, CLEAR) == 0x08, "WDT.CLEAR");

static struct wdt *const WDT = (struct wdt *)0x40001000;

enum {
    WDT_CTRL_ENABLE = 1 << 1,
    WDT_CTRL_ALWAYSON = 1 << 7,
};

/* CONFIG.PER and EWCTRL.EWOFFSET: 2^(3 + n) cycles of the generic clock. */
enum {
    WDT_CYCLES_2048 = 8,
    WDT_CYCLES_8192 = 10,
};

/* Bits of INTENCLR, INTENSET and INTFLAG. */
enum {
    WDT_INT_EW = 1 << 0,
};

enum {
    WDT_STATUS_SYNCBUSY = 1 << 7,
};

enum {
    WDT_CLEAR_KEY = 0xa5,
};

#endif
