/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two channels move bytes to and from an SPI master that has its output for input: SERCOM2, whose
 * pads lead to no pin. */
#include <lichen/init.h>
#include <lichen/power.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "chip/chip.h"
#include "chip/samr21/clock.h"
#include "chip/samr21/dma.h"
#include "chip/samr21/reg/gclk.h"
#include "chip/samr21/reg/pm.h"
#include "chip/samr21/reg/sercom.h"
#include "sleep_mode.h"
#include "test.h"

CLOCK_NEEDS(clock_8m);
POWER_LIMIT(moving_limit);

enum {
    SERCOM = 2,
    BIT_US = 16,
    BYTE_US = 8 * BIT_US,
    LENGTH = 40,
    NO_MEMORY = 0x30000000,
};

static volatile unsigned sent, received; /* the flags at the end; 0: no end yet */
static unsigned ends;

/* It selects its channel within whatever it has interrupted. */
DMA_CHANNEL(sender)
{
    dma_stop(&sender);
    sent = flags;
    ends++;
}

DMA_CHANNEL(receiver)
{
    received = flags;
    ends++;
}

static struct sercom_spi *spi(void)
{
    return SERCOM_SPI(SERCOM);
}

static void port_open(void)
{
    uint32_t clock = (uint32_t)PM_APBCMASK_SERCOM0 << SERCOM;
    uint32_t control = SPI_CTRLA_MODE_MASTER; /* DOPO 0 and DIPO 0: both are PAD[0] */

    shared_register_update(&PM->APBCMASK, clock, clock);
    clock_connect(GCLK_ID_SERCOM0_CORE + SERCOM, CLOCK_8M);
    spi()->CTRLA = control;
    spi()->CTRLB = SPI_CTRLB_RXEN;
    spi()->BAUD = CLOCK_8M_HZ / 2 * BIT_US / 1000000 - 1;
    spi()->CTRLA = control | SPI_CTRLA_ENABLE;
    while (spi()->SYNCBUSY) {
    }
    dma_open(&sender, DMA_SERCOM0_EMPTY + 2 * SERCOM);
    dma_open(&receiver, DMA_SERCOM0_RECEIVED + 2 * SERCOM);
}
INIT(port_open);

static const uint8_t out[LENGTH] = "what goes round comes round, byte by by";
static uint8_t in[LENGTH + 1];

static void receive_into(uintptr_t begin, uint16_t length)
{
    receiver.BTCTRL = DMA_TO_MEMORY | DMA_BYTES;
    receiver.BTCNT = length;
    receiver.SRCADDR = (uintptr_t)&spi()->DATA;
    receiver.DSTADDR = begin + length;
    received = 0;
    dma_start(&receiver);
}

static void send_from(uintptr_t begin, uint16_t length)
{
    sender.BTCTRL = DMA_FROM_MEMORY | DMA_BYTES;
    sender.BTCNT = length;
    sender.SRCADDR = begin + length;
    sender.DSTADDR = (uintptr_t)&spi()->DATA;
    sent = 0;
    dma_start(&sender);
}

static void exchange(uint16_t length)
{
    for (unsigned i = 0; i < sizeof(in); i++) {
        in[i] = 0;
    }
    power_limit(&moving_limit, CHIP_SLEEP_MOVING);
    receive_into((uintptr_t)in, length);
    send_from((uintptr_t)out, length);
}

static void expect_exchanged(uint16_t length)
{
    expect_equal(sent, DMA_COMPLETE);
    expect_equal(received, DMA_COMPLETE);
    for (uint16_t i = 0; i < length; i++) {
        expect_equal(in[i], out[i]);
    }
    expect_equal(in[length], 0);
    power_unlimit(&moving_limit);
}

TEST(a_block_moves_while_the_processor_sleeps)
{
    sleep_ms(20);
    exchange(LENGTH);
    sleep_us(LENGTH * BYTE_US + 500);
    expect_exchanged(LENGTH);
}

TEST(each_beat_waits_until_the_peripheral_asks)
{
    exchange(LENGTH);
    sleep_us((LENGTH - 5) * BYTE_US);
    expect_equal(received, 0);
    sleep_us(6 * BYTE_US);
    expect_exchanged(LENGTH);
}

TEST(a_single_beat_is_a_block)
{
    exchange(1);
    sleep_us(2 * BYTE_US + 500);
    expect_exchanged(1);
}

TEST(channels_are_used_again)
{
    unsigned before = ends;

    for (unsigned i = 0; i < 3; i++) {
        exchange(3);
        sleep_us(5 * BYTE_US);
        expect_exchanged(3);
    }
    expect_equal(ends, before + 6);
}

TEST(a_destination_that_is_no_memory_ends_the_block_with_a_fault)
{
    receive_into(NO_MEMORY, 2);
    send_from((uintptr_t)out, 2);
    sleep_us(4 * BYTE_US);
    expect_equal(sent, DMA_COMPLETE);
    expect_equal(received, DMA_FAULT);
    (void)spi()->DATA;
    (void)spi()->DATA;
}

TEST(after_a_fault_the_channel_works)
{
    exchange(LENGTH);
    sleep_us(LENGTH * BYTE_US + 500);
    expect_exchanged(LENGTH);
}

TEST(a_source_that_is_no_memory_is_a_fault)
{
    send_from(NO_MEMORY, 2);
    sleep_us(4 * BYTE_US);
    expect_equal(sent, DMA_FAULT);
}

TEST(a_block_that_is_stopped_moves_no_more_and_tells_no_end)
{
    unsigned before = ends;

    exchange(LENGTH);
    sleep_us(10 * BYTE_US);
    dma_stop(&sender);
    sleep_us(3 * BYTE_US);
    dma_stop(&receiver);
    expect(in[8] == out[8] && in[20] == 0);
    sleep_us(LENGTH * BYTE_US);
    expect_equal(ends, before);
    expect(in[20] == 0);
    dma_stop(&sender); /* one that has ended */
    exchange(4);
    sleep_us(6 * BYTE_US);
    expect_exchanged(4);
}

/* Interrupts are masked while the blocks end. */
TEST(an_end_that_was_not_told_before_its_channel_stopped_is_told_no_more)
{
    unsigned before = ends;

    __asm__ volatile("cpsid i" : : : "memory");
    exchange(2);
    while ((DMAC->INTSTATUS & (DMAC->INTSTATUS - 1)) == 0) { /* two bits: both have ended */
    }
    dma_stop(&sender);
    dma_stop(&receiver);
    __asm__ volatile("cpsie i" : : : "memory");
    sleep_us(BYTE_US);
    expect_equal(ends, before);
    exchange(4);
    sleep_us(6 * BYTE_US);
    expect_exchanged(4);
    expect_equal(ends, before + 2);
}

/* Software has selected a channel when the interrupt comes, and so it is afterwards. */
TEST(an_interrupt_leaves_no_other_channel_selected)
{
    exchange(LENGTH);
    DMAC->CHID = 7;
    uint64_t end = time_now_us() + (LENGTH + 2) * BYTE_US;
    while (time_now_us() < end) {
        expect_equal(DMAC->CHID, 7);
    }
    expect_exchanged(LENGTH);
}

TEST(afterwards_nothing_prevents_sleep)
{
    sleep_ms(20);
    sleep_ms(1);
    expect_equal(sleep_mode(), SLEEP_DEEPEST);
}
