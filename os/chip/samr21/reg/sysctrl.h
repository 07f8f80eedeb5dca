/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* System controller: the oscillators (SAM R21 data sheet, section SYSCTRL). */
#ifndef SAMR21_REG_SYSCTRL_H
#define SAMR21_REG_SYSCTRL_H

#include <stddef.h>
#include <stdint.h>

struct sysctrl {
    uint32_t volatile INTENCLR;
    uint32_t volatile INTENSET;
    uint32_t volatile INTFLAG;
    uint32_t const volatile PCLKSR;
    uint16_t volatile XOSC;
    uint16_t reserved_12;
    uint16_t volatile XOSC32K;
    uint16_t reserved_16;
    uint32_t volatile OSC32K;
    uint8_t volatile OSCULP32K;
    uint8_t reserved_1d[3];
    uint16_t volatile OSC8M;             /* the lower half, */
    uint16_t volatile OSC8M_CALIBRATION; /* and the upper one, by the factory */
    uint16_t volatile DFLLCTRL;
    uint16_t reserved_26;
    uint32_t volatile DFLLVAL;
    uint32_t volatile DFLLMUL;
    uint8_t volatile DFLLSYNC;
    uint8_t reserved_31[3];
    uint32_t volatile BOD33;
    uint32_t reserved_38;
    uint16_t volatile VREG;
    uint16_t reserved_3e;
    uint32_t volatile VREF;
};
_Static_assert(offsetof(struct sysctrl, OSC8M) == 0x20, "SYSCTRL.OSC8M");
_Static_assert(offsetof(struct sysctrl, DFLLSYNC) == 0x30, "SYSCTRL.DFLLSYNC");
_Static_assert(offsetof(struct sysctrl, VREF) == 0x40, "SYSCTRL.VREF");

static struct sysctrl *const SYSCTRL = (struct sysctrl *)0x40000800;

enum {
    SYSCTRL_PCLKSR_XOSC32KRDY = 1 << 1,
    SYSCTRL_PCLKSR_DFLLRDY = 1 << 4,
};

enum {
    SYSCTRL_XOSC32K_ENABLE = 1 << 1,
    SYSCTRL_XOSC32K_XTALEN = 1 << 2,
    SYSCTRL_XOSC32K_EN32K = 1 << 3,
    SYSCTRL_XOSC32K_RUNSTDBY = 1 << 6,
    SYSCTRL_XOSC32K_STARTUP_Pos = 8,
};

enum {
    SYSCTRL_OSC8M_ENABLE = 1 << 1,
    SYSCTRL_OSC8M_RUNSTDBY = 1 << 6,
    SYSCTRL_OSC8M_ONDEMAND = 1 << 7,
};

enum {
    SYSCTRL_DFLLCTRL_ENABLE = 1 << 1,
};

enum {
    SYSCTRL_DFLLVAL_FINE_Pos = 0,
    SYSCTRL_DFLLVAL_COARSE_Pos = 10,
};

enum {
    SYSCTRL_VREF_TSEN = 1 << 1,    /* temperature sensor */
    SYSCTRL_VREF_BGOUTEN = 1 << 2, /* bandgap, to the ADC */
    SYSCTRL_VREF_OUTPUTS = SYSCTRL_VREF_TSEN | SYSCTRL_VREF_BGOUTEN,
};

#endif
