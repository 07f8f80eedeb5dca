/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Channels of the DMA controller, for the drivers of this chip.
 *
 *     DMA_CHANNEL(results)
 *     {
 *         ... the block has ended: all beats have been moved if (flags & DMA_COMPLETE) ...
 *     }
 *
 *     dma_open(&results, DMA_ADC_RESULT);
 *     results.BTCTRL = DMA_TO_MEMORY | DMA_HALFWORDS;
 *     results.SRCADDR = (uintptr_t)&ADC->RESULT;
 *     results.DSTADDR = (uintptr_t)(samples + 16);    the address behind the last one
 *     results.BTCNT = 16;
 *     dma_start(&results);
 *
 * A channel moves one block of beats, one beat each time its peripheral asks for one, and then
 * calls the function that follows its name. The controller only reads a channel's descriptor, so
 * what stays the same need not be written again. Blocks are not linked: errata of the SAM D21,
 * whose controller this is, say that a linked descriptor may be fetched wrongly when another
 * channel is enabled.
 *
 * A channel takes 32 bytes of RAM. The linker numbers the channels, in the order of their names; a
 * program without one has neither the controller's driver nor its memory.
 *
 * Sleep: the controller needs the AHB, so a driver must keep the chip out of modes deeper than
 * CHIP_SLEEP_MOVING (chip_impl.h) from dma_start() until the block has ended.
 */
#ifndef SAMR21_DMA_H
#define SAMR21_DMA_H

#include <stdint.h>

#include "chip/samr21/reg/dmac.h"

/* A descriptor, as the controller reads it (data sheet, section DMAC, SRAM registers). */
struct dma_descriptor {
    uint16_t BTCTRL;  /* DMA_TO_MEMORY or DMA_FROM_MEMORY, and the size of a beat */
    uint16_t BTCNT;   /* beats of the block */
    uint32_t SRCADDR; /* one that is incremented is the address behind the block's end */
    uint32_t DSTADDR; /* likewise */
    uint32_t DESCADDR;
} __attribute__((aligned(16)));

/* Values of BTCTRL. */
enum {
    DMA_BYTES = DMAC_BTCTRL_VALID | DMAC_BTCTRL_BEATSIZE_BYTE,
    DMA_HALFWORDS = DMAC_BTCTRL_VALID | DMAC_BTCTRL_BEATSIZE_HWORD,
    DMA_TO_MEMORY = DMAC_BTCTRL_DSTINC,
    DMA_FROM_MEMORY = DMAC_BTCTRL_SRCINC,
    DMA_CONSTANT = 0, /* neither address is incremented */
};

/* How a block has ended, one bit each. */
enum {
    DMA_FAULT = DMAC_CHINT_TERR,     /* an address cannot be accessed; the rest is not moved */
    DMA_COMPLETE = DMAC_CHINT_TCMPL, /* all beats have been moved */
};

/* What asks for a beat (data sheet, CHCTRLB.TRIGSRC). */
enum dma_trigger {
    DMA_SERCOM0_RECEIVED = 1, /* SERCOM n: plus 2 n */
    DMA_SERCOM0_EMPTY = 2,
    DMA_ADC_RESULT = 39,
};

/* Declares a channel, and opens the function that is called when its block has ended, at the
 * drivers' level. It finds bits of the enumeration above in `flags`. */
#define DMA_CHANNEL(name)                                                                          \
    static void name##_ended(unsigned flags);                                                      \
    struct dma_descriptor name __attribute__((section(".bss.lichen_dma." #name)));                 \
    static void (*const name##_handler)(unsigned flags)                                            \
        __attribute__((section(".lichen.dma." #name), used)) = name##_ended;                       \
    static void name##_ended(unsigned flags)

/* Connects a channel to what asks for its beats.
 * context   init, event, interrupt of the drivers' level
 */
void dma_open(struct dma_descriptor *channel, unsigned trigger);

/* Begins to move the block that the channel describes. The block must have ended before.
 * context   as dma_open
 * blocks    no
 * owns      the memory of the block belongs to the channel until the block has ended or is stopped
 */
void dma_start(struct dma_descriptor *channel);

/* Ends a block early, and takes back an end that has not been told yet: the channel's function is
 * not called any more. Does nothing to a channel whose block has ended.
 * context   as dma_open
 * blocks    for a beat, at most
 */
void dma_stop(struct dma_descriptor *channel);

#endif
