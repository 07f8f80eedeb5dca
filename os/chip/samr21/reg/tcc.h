/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Timer/counters for control applications (SAM R21 data sheet, section TCC). */
#ifndef SAMR21_REG_TCC_H
#define SAMR21_REG_TCC_H

#include <stddef.h>
#include <stdint.h>

struct tcc {
    uint32_t volatile CTRLA;
    uint8_t volatile CTRLBCLR;
    uint8_t volatile CTRLBSET;
    uint8_t reserved_06[2];
    uint32_t const volatile SYNCBUSY;
    uint32_t volatile FCTRLA;
    uint32_t volatile FCTRLB;
    uint32_t volatile WEXCTRL;
    uint32_t volatile DRVCTRL;
    uint8_t reserved_1c[2];
    uint8_t volatile DBGCTRL;
    uint8_t reserved_1f;
    uint32_t volatile EVCTRL;
    uint32_t volatile INTENCLR;
    uint32_t volatile INTENSET;
    uint32_t volatile INTFLAG;
    uint32_t volatile STATUS;
    uint32_t volatile COUNT;
    uint16_t volatile PATT;
    uint8_t reserved_3a[2];
    uint32_t volatile WAVE;
    uint32_t volatile PER;
    uint32_t volatile CC[4];
    uint8_t reserved_54[24];
    uint32_t volatile PERB;
    uint32_t volatile CCB[4];
};
_Static_assert(offsetof(struct tcc, INTFLAG) == 0x2c, "TCC.INTFLAG");
_Static_assert(offsetof(struct tcc, CC) == 0x44, "TCC.CC");
_Static_assert(offsetof(struct tcc, CCB) == 0x70, "TCC.CCB");

static struct tcc *const TCC0 = (struct tcc *)0x42002000;
static struct tcc *const TCC1 = (struct tcc *)0x42002400;
static struct tcc *const TCC2 = (struct tcc *)0x42002800;

enum {
    TCC_CTRLA_SWRST = 1 << 0,
    TCC_CTRLA_ENABLE = 1 << 1,
    TCC_CTRLA_PRESCALER_DIV8 = 3 << 8,
    TCC_CTRLA_RUNSTDBY = 1 << 11,
    TCC_CTRLA_CPTEN0 = 1 << 24,
    TCC_EVCTRL_MCEI0 = 1 << 16,
    TCC_CTRLB_CMD_READSYNC = 4 << 5,
    TCC_WAVE_WAVEGEN_NPWM = 2,
    TCC_SYNCBUSY_ANY = ~0,
    TCC_SYNCBUSY_SWRST = 1 << 0,
    TCC_SYNCBUSY_ENABLE = 1 << 1,
    TCC_SYNCBUSY_CTRLB = 1 << 2,
    TCC_SYNCBUSY_COUNT = 1 << 4,
    TCC_SYNCBUSY_CC0 = 1 << 8,
    TCC_INT_MC0 = 1 << 16,
};

#endif
