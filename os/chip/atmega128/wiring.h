/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a board tells the chip about what is soldered to it. Defined by os/board/<name>. */
#ifndef ATMEGA128_WIRING_H
#define ATMEGA128_WIRING_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/arch.h>
#include <lichen/interrupt.h>

#include "chip/atmega128/pin.h"

/* Frequency of the main crystal, Hz. */
extern const ARCH_FLASH uint32_t board_main_hz;

/* Says that a file uses pins: two files of a program that say so by one name do not link. */
#define BOARD_PINS_USED(name)                                                                      \
    extern const uint8_t name;                                                                     \
    const uint8_t name = 0

/* A serial port: USART0 or USART1. */
struct usart_port {
    uint8_t usart;
};

/* The vector says that the last bit has left. */
void usart_interrupt_sent(const ARCH_FLASH struct usart_port *port);

/* Enables the causes that the entry of a handler has disabled. */
void usart_interrupt_end(const ARCH_FLASH struct usart_port *port);

/* Defines the three handlers of USART `n`: each calls `serve`. */
#define CHIP_USART_INTERRUPTS(n, port, serve) CHIP_USART_INTERRUPTS_(n, port, serve)
#define CHIP_USART_INTERRUPTS_(n, port, serve)                                                     \
    CHIP_USART_INTERRUPT_(USART##n##_RX, (void)0, port, serve)                                     \
    CHIP_USART_INTERRUPT_(USART##n##_UDRE, (void)0, port, serve)                                   \
    CHIP_USART_INTERRUPT_(USART##n##_TX, usart_interrupt_sent(port), port, serve)
#define CHIP_USART_INTERRUPT_(vector, begin, port, serve)                                          \
    INTERRUPT(vector)                                                                              \
    {                                                                                              \
        begin;                                                                                     \
        serve();                                                                                   \
        usart_interrupt_end(port);                                                                 \
    }

/* The two-wire interface: PD0 is SCL, PD1 is SDA. */
struct i2c_port {
    uint8_t sda_pin;
    uint8_t scl_pin;
};

/* Goes on by itself where the driver has nothing to decide. Returns whether it has. */
bool i2c_interrupt_begin(void);

/* Defines the handler of the two-wire interface: it calls `serve`. */
#define CHIP_I2C_INTERRUPT(serve)                                                                  \
    INTERRUPT(TWI)                                                                                 \
    {                                                                                              \
        if (i2c_interrupt_begin()) {                                                               \
            serve();                                                                               \
        }                                                                                          \
    }

/* The serial peripheral interface: PB1 is SCK, PB2 is MOSI, PB3 is MISO. */
struct spi_port {
    uint8_t unused;
};

/* Goes on by itself while bytes are left. Returns whether none is. */
bool spi_interrupt_begin(void);

/* Defines the handler of the interface: it calls spi_interrupt() of `bus`. */
#define CHIP_SPI_INTERRUPTS(bus)                                                                   \
    INTERRUPT(SPI_STC)                                                                             \
    {                                                                                              \
        if (spi_interrupt_begin()) {                                                               \
            spi_interrupt(bus);                                                                    \
        }                                                                                          \
    }

/* Defines the handler of the interface as a slave (chip/spi_slave.h): it calls `serve` for each
 * byte. Its entry writes SPDR, at I/O address 0x0f, as other entries keep their source quiet:
 * before any other interrupt. */
#define CHIP_SPI_SLAVE_INTERRUPT(serve)                                                            \
    ARCH_VECTOR(SPI_STC);                                                                          \
    __asm__(ARCH_ENTRY__("SPI_STC", "handler_SPI_STC", "17", "lds r24, spi_slave_out\n",           \
                         "out 0x0f, r24\n", ));                                                    \
    void handler_SPI_STC(void) __attribute__((used));                                              \
    void handler_SPI_STC(void)                                                                     \
    {                                                                                              \
        serve();                                                                                   \
    }

/* Defines the four functions of an SPI bus whose pins, constants of the ports A to E, no interface
 * has, so that they are driven bit by bit: NAME_open, _select, _send and _receive, of the forms in
 * driver/storage/at45db_wiring.h. Mode 0; interrupts may come within a bit. */
#define CHIP_SPI_PINS(name, select_pin, mosi, sck, miso)                                           \
    void name##_open(void)                                                                         \
    {                                                                                              \
        pin_output(select_pin, 1);                                                                 \
        pin_output(sck, 0);                                                                        \
        pin_output(mosi, 0);                                                                       \
    }                                                                                              \
    void name##_select(bool is_selected)                                                           \
    {                                                                                              \
        pin_drive(sck, 0); /* a thread may have ended within a bit */                              \
        pin_drive(select_pin, !is_selected);                                                       \
    }                                                                                              \
    void name##_send(uint8_t byte)                                                                 \
    {                                                                                              \
        for (uint8_t bit = 0x80; bit != 0; bit >>= 1) {                                            \
            pin_drive(mosi, byte &bit);                                                            \
            pin_drive(sck, 1);                                                                     \
            pin_drive(sck, 0);                                                                     \
        }                                                                                          \
    }                                                                                              \
    uint8_t name##_receive(void)                                                                   \
    {                                                                                              \
        uint8_t byte = 0;                                                                          \
        for (uint8_t bit = 0x80; bit != 0; bit >>= 1) {                                            \
            pin_drive(sck, 1);                                                                     \
            if (pin_read(miso)) {                                                                  \
                byte |= bit;                                                                       \
            }                                                                                      \
            pin_drive(sck, 0);                                                                     \
        }                                                                                          \
        return byte;                                                                               \
    }

#endif
