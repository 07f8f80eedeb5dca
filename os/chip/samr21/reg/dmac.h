/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* DMA controller (SAM R21 data sheet, section DMAC). The registers from CHCTRLA on are those of the
 * channel that CHID selects. */
#ifndef SAMR21_REG_DMAC_H
#define SAMR21_REG_DMAC_H

#include <stddef.h>
#include <stdint.h>

struct dmac {
    uint16_t volatile CTRL;
    uint16_t volatile CRCCTRL;
    uint32_t volatile CRCDATAIN;
    uint32_t volatile CRCCHKSUM;
    uint8_t volatile CRCSTATUS;
    uint8_t volatile DBGCTRL;
    uint8_t volatile QOSCTRL;
    uint8_t reserved_0f;
    uint32_t volatile SWTRIGCTRL;
    uint32_t volatile PRICTRL0;
    uint8_t reserved_18[8];
    uint16_t volatile INTPEND;
    uint8_t reserved_22[2];
    uint32_t const volatile INTSTATUS;
    uint32_t const volatile BUSYCH;
    uint32_t const volatile PENDCH;
    uint32_t const volatile ACTIVE;
    void *volatile BASEADDR;
    void *volatile WRBADDR;
    uint8_t reserved_3c[3];
    uint8_t volatile CHID;
    uint8_t volatile CHCTRLA;
    uint8_t reserved_41[3];
    uint32_t volatile CHCTRLB;
    uint8_t reserved_48[4];
    uint8_t volatile CHINTENCLR;
    uint8_t volatile CHINTENSET;
    uint8_t volatile CHINTFLAG;
    uint8_t const volatile CHSTATUS;
};
_Static_assert(offsetof(struct dmac, INTPEND) == 0x20, "DMAC.INTPEND");
_Static_assert(offsetof(struct dmac, CHID) == 0x3f, "DMAC.CHID");
_Static_assert(offsetof(struct dmac, CHINTFLAG) == 0x4e, "DMAC.CHINTFLAG");

static struct dmac *const DMAC = (struct dmac *)0x41004800;

enum {
    DMAC_CTRL_DMAENABLE = 1 << 1,
    DMAC_CTRL_LVLEN0 = 1 << 8,
};

enum {
    DMAC_INTPEND_ID = 0xf,
    DMAC_INTPEND_FLAGS_Pos = 8, /* TERR, TCMPL, SUSP, as in CHINTFLAG */
    DMAC_INTPEND_FLAGS_Msk = 7 << 8,
};

enum {
    DMAC_CHCTRLA_ENABLE = 1 << 1,
};

enum {
    DMAC_CHCTRLB_TRIGSRC_Pos = 8,
    DMAC_CHCTRLB_TRIGACT_BEAT = 2 << 22,
};

/* Bits of CHINTENCLR, CHINTENSET and CHINTFLAG. */
enum {
    DMAC_CHINT_TERR = 1 << 0,
    DMAC_CHINT_TCMPL = 1 << 1,
};

/* Bits of a descriptor's BTCTRL. */
enum {
    DMAC_BTCTRL_VALID = 1 << 0,
    DMAC_BTCTRL_BEATSIZE_BYTE = 0 << 8,
    DMAC_BTCTRL_BEATSIZE_HWORD = 1 << 8,
    DMAC_BTCTRL_BEATSIZE_WORD = 2 << 8,
    DMAC_BTCTRL_SRCINC = 1 << 10,
    DMAC_BTCTRL_DSTINC = 1 << 11,
};

#endif
