/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Non-volatile memory controller and the calibration row (SAM R21 data sheet, sections NVMCTRL
 * and NVM Software Calibration Area Mapping). */
#ifndef SAMR21_REG_NVMCTRL_H
#define SAMR21_REG_NVMCTRL_H

#include <stddef.h>
#include <stdint.h>

struct nvmctrl {
    uint16_t volatile CTRLA;
    uint16_t reserved_02;
    uint32_t volatile CTRLB;
    uint32_t volatile PARAM;
    uint8_t volatile INTENCLR;
    uint8_t reserved_0d[3];
    uint8_t volatile INTENSET;
    uint8_t reserved_11[3];
    uint8_t volatile INTFLAG;
    uint8_t reserved_15[3];
    uint16_t volatile STATUS;
    uint16_t reserved_1a;
    uint32_t volatile ADDR;
    uint16_t volatile LOCK;
};
_Static_assert(offsetof(struct nvmctrl, LOCK) == 0x20, "NVMCTRL.LOCK");

static struct nvmctrl *const NVMCTRL = (struct nvmctrl *)0x41004000;

enum {
    NVMCTRL_CTRLA_KEY = 0xa5 << 8,
    NVMCTRL_CTRLA_ERASE_ROW = NVMCTRL_CTRLA_KEY | 0x02,
    NVMCTRL_CTRLA_WRITE_PAGE = NVMCTRL_CTRLA_KEY | 0x04,
    NVMCTRL_CTRLA_CLEAR_BUFFER = NVMCTRL_CTRLA_KEY | 0x44,
    NVMCTRL_CTRLA_INVALIDATE = NVMCTRL_CTRLA_KEY | 0x46,
    NVMCTRL_CTRLB_RWS_Pos = 1,
    NVMCTRL_CTRLB_MANW = 1 << 7,
    NVMCTRL_CTRLB_SLEEPPRM_DISABLED = 3 << 8,
    NVMCTRL_INTFLAG_READY = 1 << 0,
    NVMCTRL_INTFLAG_ERROR = 1 << 1,
    NVMCTRL_STATUS_ERRORS = 7 << 2, /* PROGE, LOCKE, NVME */
};

/* The factory's calibration values: 128 bits, four words. */
static uint32_t const volatile *const NVM_CALIBRATION = (uint32_t const volatile *)0x00806020;

/* The temperature sensor's: two words (NVM Temperature Log Row). */
static uint32_t const volatile *const NVM_TEMPERATURE_LOG = (uint32_t const volatile *)0x00806030;

enum {
    NVM_CALIBRATION_ADC_LINEARITY_Pos = 27, /* in word 0, and three more bits in word 1 */
    NVM_CALIBRATION_ADC_LINEARITY_HIGH_Msk = 7,
    NVM_CALIBRATION_ADC_BIASCAL_Pos = 3, /* in word 1 */
    NVM_CALIBRATION_ADC_BIASCAL_Msk = 7,
    NVM_CALIBRATION_DFLL48M_COARSE_WORD = 1,
    NVM_CALIBRATION_DFLL48M_COARSE_Pos = 26,
    NVM_CALIBRATION_DFLL48M_COARSE_BITS = 6,
    NVM_TEMPERATURE_ADC_MAX = 0xfff,
};

#endif
