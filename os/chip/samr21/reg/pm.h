/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Power manager: sleep mode, bus clock masks, reset cause (SAM R21 data sheet, section PM). */
#ifndef SAMR21_REG_PM_H
#define SAMR21_REG_PM_H

#include <stddef.h>
#include <stdint.h>

#include "chip/register.h"

struct pm {
    uint8_t volatile CTRL;
    uint8_t volatile SLEEP;
    uint8_t reserved_02[6];
    uint8_t volatile CPUSEL;
    uint8_t volatile APBASEL;
    uint8_t volatile APBBSEL;
    uint8_t volatile APBCSEL;
    uint8_t reserved_0c[8];
    uint32_t volatile AHBMASK;
    uint32_t volatile APBAMASK;
    uint32_t volatile APBBMASK;
    struct shared_register APBCMASK;
    uint8_t reserved_24[16];
    uint8_t volatile INTENCLR;
    uint8_t volatile INTENSET;
    uint8_t volatile INTFLAG;
    uint8_t reserved_37;
    uint8_t const volatile RCAUSE;
};
_Static_assert(offsetof(struct pm, APBCMASK) == 0x20, "PM.APBCMASK");
_Static_assert(offsetof(struct pm, RCAUSE) == 0x38, "PM.RCAUSE");

static struct pm *const PM = (struct pm *)0x40000400;

enum {
    PM_APBCMASK_EVSYS = 1 << 1,
    PM_APBCMASK_SERCOM0 = 1 << 2, /* SERCOM n: shift by n more */
    PM_APBCMASK_TCC0 = 1 << 8,
    PM_APBCMASK_TCC1 = 1 << 9,
    PM_APBCMASK_TCC2 = 1 << 10,
    PM_APBCMASK_TC3 = 1 << 11, /* TC n: shift by n - 3 more */
    PM_APBCMASK_TC_ALL = 7 << 11,
    PM_APBCMASK_ADC = 1 << 16,
};

enum {
    PM_RCAUSE_POR = 1 << 0,
    PM_RCAUSE_BOD12 = 1 << 1,
    PM_RCAUSE_BOD33 = 1 << 2,
    PM_RCAUSE_EXT = 1 << 4,
    PM_RCAUSE_WDT = 1 << 5,
};

#endif
