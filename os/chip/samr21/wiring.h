/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a board tells the chip about what is soldered to it. Defined by os/board/<name>. */
#ifndef SAMR21_WIRING_H
#define SAMR21_WIRING_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/interrupt.h>

#include "chip/samr21/dma.h"
#include "chip/samr21/pin.h"

/* Declares the crystal at XIN32/XOUT32, and links its driver into every program of the board.
 * hz        0 if there is none
 */
#define CHIP_CRYSTAL(hz)  CHIP_CRYSTAL_(hz)
#define CHIP_CRYSTAL_(hz) __asm__(".if " #hz "\n\t.global chip_crystal\n\t.endif")

/* Name of the vector of SERCOM `n`, for INTERRUPT(). */
#define SERCOM_VECTOR(n)  SERCOM_VECTOR_(n)
#define SERCOM_VECTOR_(n) SERCOM##n

/* A serial port: its SERCOM, and the pins of its lines. Pads and pin functions are those
 * of the data sheet's table of multiplexed signals. */
struct usart_port {
    uint8_t sercom;   /* 0 to 5 */
    char function;    /* of both pins: 'A' to 'H' */
    uint8_t send_pin; /* GPIO_PIN(...) */
    uint8_t send_pad; /* 0 or 2 */
    uint8_t receive_pin;
    uint8_t receive_pad; /* 0 to 3 */
};

/* An I2C bus: its SERCOM, and the pins of its lines, at PAD[0] and PAD[1]. */
struct i2c_port {
    uint8_t sercom;
    char function;   /* of both pins */
    uint8_t sda_pin; /* GPIO_PIN(...) */
    uint8_t scl_pin;
    struct dma_descriptor *channel; /* i2c_channel */
};

/* The bus's DMA channel has ended. */
void i2c_port_moved(unsigned flags);

/* Defines the channel of the bus of SERCOM `n` and the handlers of both: each calls `serve`. */
#define CHIP_I2C_INTERRUPTS(n, serve)                                                              \
    INTERRUPT(SERCOM_VECTOR(n))                                                                    \
    {                                                                                              \
        serve();                                                                                   \
    }                                                                                              \
    DMA_CHANNEL(i2c_channel)                                                                       \
    {                                                                                              \
        i2c_port_moved(flags);                                                                     \
        serve();                                                                                   \
    }

/* An SPI bus: its SERCOM, and the pins of its lines. */
struct spi_port {
    uint8_t sercom;
    char function; /* of all pins */
    uint8_t mosi_pin;
    uint8_t sck_pin;
    uint8_t miso_pin;
    uint8_t miso_pad; /* 0 to 3 */
    uint8_t out_pads; /* SPI_OUT_PADS(...) */
    struct dma_descriptor *send;
    struct dma_descriptor *receive;
    volatile uint8_t *conditions; /* that the channels have told */
};

/* The bus of the radio in the chip's package: its SERCOM, and its lines as initial values (data
 * sheet, "Multiplexed signals, internal"). */
#define CHIP_RADIO_SERCOM 4
#define CHIP_RADIO_LINES                                                                           \
    .sercom = CHIP_RADIO_SERCOM, .function = 'F', .mosi_pin = GPIO_PIN('B', 30),                   \
    .sck_pin = GPIO_PIN('C', 18), .miso_pin = GPIO_PIN('C', 19), .miso_pad = 0,                    \
    .out_pads = SPI_OUT_PADS(2, 3)

/* The radio's other lines. */
#define CHIP_RADIO_SELECT GPIO_PIN('B', 31)
#define CHIP_RADIO_RESET  GPIO_PIN('B', 15)
#define CHIP_RADIO_SLEEP  GPIO_PIN('A', 20)

/* Whether a piece of which nothing is received has ended: for the handler of the channel that feeds
 * the bus, which waits for the last byte on the wire, 4 us at most at the highest rate. */
bool spi_sercom_has_sent(uint8_t sercom);

/* CTRLA.DOPO of the pads of MOSI and SCK. */
#define SPI_OUT_PADS(mosi, sck) ((mosi) == 0 ? ((sck) == 1 ? 0 : 3) : (mosi) == 2 ? 1 : 2)

/* Defines the channels of the bus of SERCOM `n`, `name`_send and `name`_receive, its variable
 * `name`_conditions, and the handlers: each calls spi_interrupt() of `bus`. */
#define CHIP_SPI_INTERRUPTS(name, n, bus) CHIP_SPI_INTERRUPTS_TO(name, n, spi_interrupt(bus))

/* The same; each handler does `serve`. */
#define CHIP_SPI_INTERRUPTS_TO(name, n, serve)                                                     \
    static volatile uint8_t name##_conditions;                                                     \
    INTERRUPT(SERCOM_VECTOR(n))                                                                    \
    {                                                                                              \
        serve;                                                                                     \
    }                                                                                              \
    DMA_CHANNEL(name##_receive)                                                                    \
    {                                                                                              \
        name##_conditions |= flags & DMA_FAULT ? SPI_FAULT : SPI_ENDED;                            \
        serve;                                                                                     \
    }                                                                                              \
    DMA_CHANNEL(name##_send)                                                                       \
    {                                                                                              \
        if (flags & DMA_FAULT) {                                                                   \
            name##_conditions |= SPI_FAULT;                                                        \
            serve;                                                                                 \
        } else if (spi_sercom_has_sent(n)) {                                                       \
            name##_conditions |= SPI_ENDED;                                                        \
            serve;                                                                                 \
        }                                                                                          \
    }

#endif
