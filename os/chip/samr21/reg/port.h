/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Pins (SAM R21 data sheet, section PORT). Group 0 is PA, 1 is PB, 2 is PC. */
#ifndef SAMR21_REG_PORT_H
#define SAMR21_REG_PORT_H

#include <stddef.h>
#include <stdint.h>

struct port_group {
    uint32_t volatile DIR;
    uint32_t volatile DIRCLR;
    uint32_t volatile DIRSET;
    uint32_t volatile DIRTGL;
    uint32_t volatile OUT;
    uint32_t volatile OUTCLR;
    uint32_t volatile OUTSET;
    uint32_t volatile OUTTGL;
    uint32_t const volatile IN;
    uint32_t volatile CTRL;
    uint32_t volatile WRCONFIG;
    uint32_t reserved_2c;
    uint8_t volatile PMUX[16];
    uint8_t volatile PINCFG[32];
    uint8_t reserved_60[32];
};
_Static_assert(offsetof(struct port_group, PINCFG) == 0x40, "PORT.PINCFG");
_Static_assert(sizeof(struct port_group) == 0x80, "PORT group");

static struct port_group *const PORT = (struct port_group *)0x41004400;

/* The same registers on the processor's single-cycle bus. PMUX and PINCFG cannot be accessed
 * through it, and it sees an input only if CTRL selects continuous sampling. */
static struct port_group *const PORT_IOBUS = (struct port_group *)0x60000000;

enum {
    PORT_PINCFG_PMUXEN = 1 << 0,
    PORT_PINCFG_INEN = 1 << 1,
    PORT_PINCFG_PULLEN = 1 << 2,
};

/* PORT.WRCONFIG: writes PMUX and PINCFG of selected pins in one half of a group. */
#define PORT_WRCONFIG_HWSEL (UINT32_C(1) << 31) /* the upper half */
enum {
    PORT_WRCONFIG_PINCFG_Pos = 16,
    PORT_WRCONFIG_PMUX_Pos = 24,
    PORT_WRCONFIG_WRPMUX = 1 << 28,
    PORT_WRCONFIG_WRPINCFG = 1 << 30,
};

#endif
