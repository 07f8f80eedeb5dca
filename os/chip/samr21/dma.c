/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The DMA controller (SAM R21 data sheet, section DMAC).
 *
 * One register selects the channel that others are about. It is used at the kernel level and at the
 * drivers', so who changes it puts its value back: an interrupt in between leaves no trace. The
 * interrupt itself needs no selection, since INTPEND names the channel.
 */
#include "chip/samr21/dma.h"

#include <lichen/assert.h>
#include <lichen/init.h>
#include <lichen/interrupt.h>

#include "chip/chip.h"
#include "chip/samr21/interrupt.h"

/* The first descriptors of all channels, as many places for what the controller writes, and the
 * channels' functions (samr21.ld). */
extern struct dma_descriptor dma_channels[], dma_written[];
extern void (*const dma_handlers[])(unsigned flags);

/* Selects a channel; returns the one that was selected. */
static uint8_t select(const struct dma_descriptor *channel)
{
    uint8_t before = DMAC->CHID;

    DMAC->CHID = (uint8_t)(channel - dma_channels);
    return before;
}

static void controller_start(void)
{
    DMAC->BASEADDR = dma_channels;
    DMAC->WRBADDR = dma_written;
    DMAC->CTRL = DMAC_CTRL_DMAENABLE | DMAC_CTRL_LVLEN0;
    chip_interrupt_enable(INTERRUPT_DMAC, LEVEL_DRIVER);
}

void dma_open(struct dma_descriptor *channel, unsigned trigger)
{
    if (!(DMAC->CTRL & DMAC_CTRL_DMAENABLE)) {
        controller_start();
    }
    uint8_t before = select(channel);
    DMAC->CHCTRLB = DMAC_CHCTRLB_TRIGACT_BEAT | (uint32_t)trigger << DMAC_CHCTRLB_TRIGSRC_Pos;
    DMAC->CHINTENSET = DMAC_CHINT_TERR | DMAC_CHINT_TCMPL;
    DMAC->CHID = before;
}

void dma_start(struct dma_descriptor *channel)
{
    uint8_t before = select(channel);

    DMAC->CHCTRLA = DMAC_CHCTRLA_ENABLE;
    DMAC->CHID = before;
}

void dma_stop(struct dma_descriptor *channel)
{
    uint8_t before = select(channel);

    DMAC->CHCTRLA = 0;
    while (DMAC->CHCTRLA & DMAC_CHCTRLA_ENABLE) {
    }
    DMAC->CHINTFLAG = DMAC_CHINT_TERR | DMAC_CHINT_TCMPL;
    DMAC->CHID = before;
}

INTERRUPT(DMAC)
{
    uint16_t pending;

    while ((pending = DMAC->INTPEND) & DMAC_INTPEND_FLAGS_Msk) {
        DMAC->INTPEND = pending;
        dma_handlers[pending & DMAC_INTPEND_ID](pending >> DMAC_INTPEND_FLAGS_Pos);
    }
}
