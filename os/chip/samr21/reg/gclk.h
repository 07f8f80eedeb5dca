/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generic clock controller (SAM R21 data sheet, section GCLK). */
#ifndef SAMR21_REG_GCLK_H
#define SAMR21_REG_GCLK_H

#include <stddef.h>
#include <stdint.h>

struct gclk {
    uint8_t volatile CTRL;
    uint8_t const volatile STATUS;
    uint16_t volatile CLKCTRL;
    uint32_t volatile GENCTRL;
    uint32_t volatile GENDIV;
};
_Static_assert(offsetof(struct gclk, GENDIV) == 0x08, "GCLK.GENDIV");

static struct gclk *const GCLK = (struct gclk *)0x40000C00;

enum {
    GCLK_STATUS_SYNCBUSY = 1 << 7,
};

enum {
    GCLK_CLKCTRL_ID_Pos = 0,
    GCLK_CLKCTRL_GEN_Pos = 8,
    GCLK_CLKCTRL_CLKEN = 1 << 14,
};

/* GCLK.CLKCTRL.ID: the clock that a generator feeds. */
enum {
    GCLK_ID_WDT = 3,
    GCLK_ID_RTC = 4,
    GCLK_ID_EIC = 5,
    GCLK_ID_SERCOMX_SLOW = 19,
    GCLK_ID_SERCOM0_CORE = 20, /* SERCOM n: plus n */
    GCLK_ID_TCC0_TCC1 = 26,
    GCLK_ID_TCC2_TC3 = 27,
    GCLK_ID_TC4_TC5 = 28,
    GCLK_ID_ADC = 30,
};

enum {
    GCLK_GENCTRL_ID_Pos = 0,
    GCLK_GENCTRL_SRC_Pos = 8,
    GCLK_GENCTRL_GENEN = 1 << 16,
};

/* GCLK.GENCTRL.SRC: what feeds a generator. */
enum {
    GCLK_SRC_GCLKIN = 1,
    GCLK_SRC_OSCULP32K = 3,
    GCLK_SRC_XOSC32K = 5,
    GCLK_SRC_OSC8M = 6,
    GCLK_SRC_DFLL48M = 7,
};

enum {
    GCLK_GENDIV_ID_Pos = 0,
    GCLK_GENDIV_DIV_Pos = 8,
};

#endif
