/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a chip offers to drivers of SPI, as the master of a bus.
 *
 * A bus is a `struct spi_port`, which the chip declares and the board fills in. The port moves
 * pieces of a transfer; select lines, turns and errors belong to the driver. The board's wiring
 * binds the port's interrupts to the driver: one comes when a piece has been moved.
 *
 * Sleep: while a piece is moved the driver must keep the chip out of modes deeper than
 * CHIP_SLEEP_MOVING.
 */
#ifndef CHIP_SPI_H
#define CHIP_SPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lichen/arch.h>

struct spi_port;

/* The longest piece, bytes. */
#define SPI_PIECE_MAX 65535u

/* What the interrupt is about, one bit each. */
enum spi_condition {
    SPI_ENDED = 1 << 0, /* all bytes of the piece have been sent and received */
    SPI_FAULT = 1 << 1, /* ... or not: one was lost, or memory cannot be accessed */
};

/* Starts the port, with its interrupts at the drivers' level. */
void spi_port_open(const ARCH_FLASH struct spi_port *port);

/* Whether the port has a rate of at most `hz`. */
bool spi_port_is_possible(const ARCH_FLASH struct spi_port *port, uint32_t hz);

/* Sets mode and rate of what follows. No piece is under way. */
void spi_port_configure(const ARCH_FLASH struct spi_port *port, uint8_t mode, uint32_t hz);

/* Moves a piece.
 * out       0: zeros are sent
 * in        0: what comes in is ignored
 * length    1 to SPI_PIECE_MAX
 */
void spi_port_move(const ARCH_FLASH struct spi_port *port, const uint8_t *out, uint8_t *in,
                   size_t length);

/* Exchanges some bytes in place, and waits: for a few of them this takes fewer cycles than a piece
 * and its interrupt. No piece is under way.
 * bytes     what is sent, and then what has come in
 */
void spi_port_exchange(const ARCH_FLASH struct spi_port *port, uint8_t *bytes, size_t length);

/* Conditions that have arisen since the last call: bits of enum spi_condition. */
unsigned spi_port_pending(const ARCH_FLASH struct spi_port *port);

/* Ends a piece early. Memory is not accessed any more. */
void spi_port_stop(const ARCH_FLASH struct spi_port *port);

#endif
