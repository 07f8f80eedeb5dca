/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* External interrupt controller (SAM R21 data sheet, section EIC). */
#ifndef SAMR21_REG_EIC_H
#define SAMR21_REG_EIC_H

#include <stddef.h>
#include <stdint.h>

#include "chip/register.h"

struct eic {
    uint8_t volatile CTRL;
    uint8_t const volatile STATUS;
    uint8_t volatile NMICTRL;
    uint8_t volatile NMIFLAG;
    uint32_t volatile EVCTRL;
    uint32_t volatile INTENCLR;
    uint32_t volatile INTENSET;
    uint32_t volatile INTFLAG;
    struct shared_register WAKEUP;
    struct shared_register CONFIG[2];
};
_Static_assert(offsetof(struct eic, CONFIG) == 0x18, "EIC.CONFIG");

static struct eic *const EIC = (struct eic *)0x40001800;

enum {
    EIC_CTRL_ENABLE = 1 << 1,
};

enum {
    EIC_STATUS_SYNCBUSY = 1 << 7,
};

/* EIC.CONFIG: four bits a line, eight lines a register. */
enum {
    EIC_CONFIG_SENSE_RISE = 1,
    EIC_CONFIG_SENSE_FALL = 2,
    EIC_CONFIG_SENSE_BOTH = 3,
    EIC_CONFIG_SENSE_HIGH = 4,
    EIC_CONFIG_LINE_BITS = 4,
    EIC_CONFIG_LINE_Msk = 0xf,
};

#endif
