/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a chip offers to drivers of I2C, as the only master of a bus.
 *
 * A bus is a `struct i2c_port`, which the chip declares and the board fills in. The functions are
 * register accesses under common names; the order of a transfer, waiting and errors belong to the
 * driver. The board's wiring binds the port's interrupt to the driver. After each step the
 * interrupt comes, and the port holds the bus until the driver says how it goes on.
 *
 * Sleep: during a transfer the driver must keep the chip out of modes deeper than
 * CHIP_SLEEP_MOVING.
 */
#ifndef CHIP_I2C_H
#define CHIP_I2C_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lichen/arch.h>

struct i2c_port;

/* What the interrupt is about, one bit each. */
enum i2c_condition {
    I2C_SENT = 1 << 0,     /* an address or a byte has been sent */
    I2C_RECEIVED = 1 << 1, /* a byte has been received */
    I2C_REFUSED = 1 << 2,  /* ... but what was sent has not been acknowledged */
    I2C_LOST = 1 << 3,     /* ... but something else drives the bus, which is no longer held */
    I2C_ENDED = 1 << 4,    /* all bytes have been received, and the transfer has ended */
    I2C_FAULT = 1 << 5,    /* what was received cannot be written to memory */
    I2C_LATE = 1 << 6,     /* SCL was held low for too long; the bus is no longer held */
};

/* Starts the port at `hz`, with its interrupt at the drivers' level. */
void i2c_port_open(const ARCH_FLASH struct i2c_port *port, uint32_t hz);

/* Sends a start, or a repeated start, and the address. A transfer that reads, `length` bytes, goes
 * on with the first one; one that writes has a length of 0.
 * in        where the port puts them if it can: then the next condition is that it has ended; else
 *           the driver takes them one by one
 */
void i2c_port_start(const ARCH_FLASH struct i2c_port *port, uint8_t address, void *in,
                    size_t length);

/* Whether a transfer that begins now ends, with I2C_LOST or I2C_LATE at the latest, whatever parts
 * do to the lines. */
bool i2c_port_is_watched(const ARCH_FLASH struct i2c_port *port);

/* Conditions that have arisen: bits of enum i2c_condition. */
unsigned i2c_port_pending(const ARCH_FLASH struct i2c_port *port);

/* Sends `byte`. */
void i2c_port_send(const ARCH_FLASH struct i2c_port *port, uint8_t byte);

/* Takes the received byte, and goes on with the next one; if none is `left`, the transfer ends. */
uint8_t i2c_port_receive(const ARCH_FLASH struct i2c_port *port, size_t left);

/* Ends the transfer, if the port holds the bus. Nothing is written to memory any more. */
void i2c_port_stop(const ARCH_FLASH struct i2c_port *port);

/* Gives up a transfer and makes the bus usable again: clocks out what a part may still be sending,
 * or lets it end its acknowledge, which takes 0.1 to 0.3 ms, and starts the port anew.
 * returns   whether no line is held low any more
 */
bool i2c_port_recover(const ARCH_FLASH struct i2c_port *port, uint32_t hz);

#endif
