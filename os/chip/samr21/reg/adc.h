/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Analog to digital converter (SAM R21 data sheet, section ADC). */
#ifndef SAMR21_REG_ADC_H
#define SAMR21_REG_ADC_H

#include <stddef.h>
#include <stdint.h>

struct adc {
    uint8_t volatile CTRLA;
    uint8_t volatile REFCTRL;
    uint8_t volatile AVGCTRL;
    uint8_t volatile SAMPCTRL;
    uint16_t volatile CTRLB;
    uint16_t reserved_06;
    uint8_t volatile WINCTRL;
    uint8_t reserved_09[3];
    uint8_t volatile SWTRIG;
    uint8_t reserved_0d[3];
    uint32_t volatile INPUTCTRL;
    uint8_t volatile EVCTRL;
    uint8_t reserved_15;
    uint8_t volatile INTENCLR;
    uint8_t volatile INTENSET;
    uint8_t volatile INTFLAG;
    uint8_t const volatile STATUS;
    uint16_t const volatile RESULT;
    uint16_t volatile WINLT;
    uint16_t reserved_1e;
    uint16_t volatile WINUT;
    uint16_t reserved_22;
    uint16_t volatile GAINCORR;
    uint16_t volatile OFFSETCORR;
    uint16_t volatile CALIB;
    uint8_t volatile DBGCTRL;
};
_Static_assert(offsetof(struct adc, INPUTCTRL) == 0x10, "ADC.INPUTCTRL");
_Static_assert(offsetof(struct adc, DBGCTRL) == 0x2a, "ADC.DBGCTRL");

static struct adc *const ADC_REGISTERS = (struct adc *)0x42004000;

enum {
    ADC_CTRLA_ENABLE = 1 << 1,
    ADC_CTRLA_RUNSTDBY = 1 << 2,
    ADC_REFCTRL_INT1V = 0,
    ADC_REFCTRL_INTVCC1 = 2, /* half of the supply */
    ADC_AVGCTRL_ADJRES_Pos = 4,
    ADC_CTRLB_RESSEL_16BIT = 1 << 4,
    ADC_CTRLB_PRESCALER_DIV4 = 0 << 8,
    ADC_SWTRIG_START = 1 << 1,
    ADC_INPUTCTRL_MUXPOS_Msk = 0x1f,
    ADC_INPUTCTRL_TEMP = 0x18,
    ADC_INPUTCTRL_BANDGAP = 0x19,
    ADC_INPUTCTRL_SCALEDIOVCC = 0x1b, /* a quarter of the supply */
    ADC_INPUTCTRL_MUXNEG_GND = 0x18 << 8,
    ADC_INPUTCTRL_GAIN_1X = 0 << 24,
    ADC_INPUTCTRL_GAIN_DIV2 = 0xf << 24,
    ADC_INT_RESRDY = 1 << 0,
    ADC_STATUS_SYNCBUSY = 1 << 7,
    ADC_CALIB_BIAS_CAL_Pos = 8,
};

#endif
