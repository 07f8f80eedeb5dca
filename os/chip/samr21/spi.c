/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SPI buses: SERCOM as SPI master, which two DMA channels feed and empty (SAM R21 data sheet,
 * SERCOM SPI). What is received comes last, so the end of its channel is that of the piece.
 *
 * Two channels take turns for each byte, and load their descriptors: 32 cycles, of which the wire
 * needs 16 at its highest rate. So what is only sent is moved with the receiver off. */
#include "chip/spi.h"

#include <lichen/interrupt.h>

#include "chip/chip.h"
#include "chip/samr21/clock.h"
#include "chip/samr21/dma.h"
#include "chip/samr21/interrupt.h"
#include "chip/samr21/pin.h"
#include "chip/samr21/reg/gclk.h"
#include "chip/samr21/reg/pm.h"
#include "chip/samr21/reg/sercom.h"
#include "chip/samr21/wiring.h"

CLOCK_NEEDS(clock_8m);

enum {
    BAUD_MAX = 255,
};

static struct sercom_spi *registers_of(const ARCH_FLASH struct spi_port *port)
{
    return SERCOM_SPI(port->sercom);
}

static void wait_while_busy(struct sercom_spi *spi)
{
    while (spi->SYNCBUSY) {
    }
}

void spi_port_open(const ARCH_FLASH struct spi_port *port)
{
    uint32_t clock = (uint32_t)PM_APBCMASK_SERCOM0 << port->sercom;
    uintptr_t data = (uintptr_t)&registers_of(port)->DATA;

    shared_register_update(&PM->APBCMASK, clock, clock);
    clock_connect(GCLK_ID_SERCOM0_CORE + port->sercom, CLOCK_8M);
    gpio_pin_connect(port->mosi_pin, port->function);
    gpio_pin_connect(port->sck_pin, port->function);
    gpio_pin_connect(port->miso_pin, port->function);
    dma_open(port->receive, DMA_SERCOM0_RECEIVED + 2u * port->sercom);
    port->receive->SRCADDR = data;
    dma_open(port->send, DMA_SERCOM0_EMPTY + 2u * port->sercom);
    port->send->DSTADDR = data;
    chip_interrupt_enable(INTERRUPT_SERCOM0 + port->sercom, LEVEL_DRIVER);
}

/* The rate is that of the clock divided by 2 * (BAUD + 1). */
static uint32_t baud_of(uint32_t hz)
{
    return hz == 0 ? UINT32_MAX : (CLOCK_8M_HZ / 2 + hz - 1) / hz - 1;
}

bool spi_port_is_possible(const ARCH_FLASH struct spi_port *port, uint32_t hz)
{
    (void)port;
    return baud_of(hz) <= BAUD_MAX;
}

void spi_port_configure(const ARCH_FLASH struct spi_port *port, uint8_t mode, uint32_t hz)
{
    struct sercom_spi *spi = registers_of(port);
    uint32_t control =
        SPI_CTRLA_MODE_MASTER | SPI_CTRLA_IBON | (uint32_t)port->out_pads << SPI_CTRLA_DOPO_Pos |
        (uint32_t)port->miso_pad << SPI_CTRLA_DIPO_Pos | (uint32_t)mode << SPI_CTRLA_CPHA_Pos;

    spi->CTRLA = 0;
    wait_while_busy(spi);
    spi->CTRLA = control;
    spi->CTRLB = SPI_CTRLB_RXEN;
    spi->BAUD = (uint8_t)baud_of(hz);
    spi->CTRLA = control | SPI_CTRLA_ENABLE;
    wait_while_busy(spi);
    spi->INTENSET = SPI_INT_ERROR;
}

static void set_receiver(struct sercom_spi *spi, uint32_t receiver)
{
    spi->CTRLB = receiver;
    wait_while_busy(spi);
}

static void move_out(const ARCH_FLASH struct spi_port *port, const uint8_t *out, size_t length)
{
    struct dma_descriptor *send = port->send;

    set_receiver(registers_of(port), 0);
    send->BTCTRL = DMA_BYTES | DMA_FROM_MEMORY;
    send->SRCADDR = (uintptr_t)out + length;
    send->BTCNT = (uint16_t)length;
    dma_start(send);
}

bool spi_sercom_has_sent(uint8_t sercom)
{
    struct sercom_spi *spi = SERCOM_SPI(sercom);

    if (spi->CTRLB & SPI_CTRLB_RXEN) {
        return false;
    }
    while (!(spi->INTFLAG & SPI_INT_TXC)) {
    }
    set_receiver(spi, SPI_CTRLB_RXEN);
    return true;
}

void spi_port_move(const ARCH_FLASH struct spi_port *port, const uint8_t *out, uint8_t *in,
                   size_t length)
{
    if (in == 0 && out != 0) {
        move_out(port, out, length);
        return;
    }
    static const uint8_t zero;
    static uint8_t ignored;
    struct dma_descriptor *receive = port->receive;
    struct dma_descriptor *send = port->send;

    receive->BTCTRL = in != 0 ? DMA_BYTES | DMA_TO_MEMORY : DMA_BYTES;
    receive->DSTADDR = in != 0 ? (uintptr_t)in + length : (uintptr_t)&ignored;
    receive->BTCNT = (uint16_t)length;
    send->BTCTRL = out != 0 ? DMA_BYTES | DMA_FROM_MEMORY : DMA_BYTES;
    send->SRCADDR = out != 0 ? (uintptr_t)out + length : (uintptr_t)&zero;
    send->BTCNT = (uint16_t)length;
    dma_start(receive);
    dma_start(send);
}

static uint8_t next_received(struct sercom_spi *spi)
{
    while (!(spi->INTFLAG & SPI_INT_RXC)) {
    }
    return (uint8_t)spi->DATA;
}

/* A byte is ready to follow while one is on the wire. */
void spi_port_exchange(const ARCH_FLASH struct spi_port *port, uint8_t *bytes, size_t length)
{
    struct sercom_spi *spi = registers_of(port);
    const uint8_t *end = bytes + length;

    spi->DATA = *bytes;
    for (; bytes + 1 != end; bytes++) {
        while (!(spi->INTFLAG & SPI_INT_DRE)) {
        }
        spi->DATA = bytes[1];
        *bytes = next_received(spi);
    }
    *bytes = next_received(spi);
}

unsigned spi_port_pending(const ARCH_FLASH struct spi_port *port)
{
    struct sercom_spi *spi = registers_of(port);
    unsigned conditions = *port->conditions;

    *port->conditions = 0;
    if (spi->INTFLAG & SPI_INT_ERROR) {
        spi->STATUS = SPI_STATUS_BUFOVF;
        spi->INTFLAG = SPI_INT_ERROR;
        conditions |= SPI_FAULT;
    }
    return conditions;
}

/* A byte that is on its way is cut off. */
void spi_port_stop(const ARCH_FLASH struct spi_port *port)
{
    struct sercom_spi *spi = registers_of(port);

    dma_stop(port->send);
    dma_stop(port->receive);
    *port->conditions = 0;
    spi->CTRLA &= ~(uint32_t)SPI_CTRLA_ENABLE;
    wait_while_busy(spi);
    spi->CTRLB = SPI_CTRLB_RXEN;
    spi->CTRLA |= SPI_CTRLA_ENABLE;
    wait_while_busy(spi);
}
