/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a chip offers to drivers of asynchronous serial ports.
 *
 * A port is a `struct usart_port`, which the chip declares and the board fills in. The functions
 * are register accesses under common names; buffers, waiting and line ends belong to the driver.
 * The board's wiring binds the port's interrupt to the driver.
 *
 * Sleep: an idle port lets the chip enter its deepest mode, and a start bit wakes it in time to
 * receive the byte; where the chip cannot do that, the driver says when somebody listens. While
 * sending, from before usart_send until USART_SENT, the driver must keep the chip out of modes that
 * stop the port's clock.
 */
#ifndef CHIP_USART_H
#define CHIP_USART_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/arch.h>

#include <chip_impl.h>

struct usart_port;

/* Conditions of a port, each a possible cause of its interrupt. */
enum usart_condition {
    USART_SEND_READY = 1 << 0, /* usart_send may be called; lasts until it is */
    USART_SENT = 1 << 1,       /* the last bit has left; lasts until the next usart_send */
    USART_RECEIVED = 1 << 2,   /* usart_receive has a byte; lasts until it is taken */
};

enum usart_parity {
    USART_NO_PARITY,
    USART_EVEN_PARITY,
    USART_ODD_PARITY,
};

/* Whether ports can send and receive at `baud`, within 2 %. */
bool usart_can(uint32_t baud);

/* Starts the port at `baud`, 8 data bits, no parity, one stop bit, with its interrupt at the
 * drivers' level and USART_RECEIVED as the only cause. */
void usart_open(const ARCH_FLASH struct usart_port *port, uint32_t baud);

/* Adds parity to a port that has just been started. */
void usart_set_parity(const ARCH_FLASH struct usart_port *port, enum usart_parity parity);

/* [impl] usart_listen()  Somebody waits for a byte: from now on the chip enters no mode in which a
 * port cannot receive. At the kernel level. */

/* Enables or disables `condition` as a cause of the interrupt. */
void usart_enable(const ARCH_FLASH struct usart_port *port, enum usart_condition condition);
void usart_disable(const ARCH_FLASH struct usart_port *port, enum usart_condition condition);

/* Conditions that hold and are enabled as causes of the interrupt. */
unsigned usart_pending(const ARCH_FLASH struct usart_port *port);

/* Sends `byte`; only while USART_SEND_READY holds. */
void usart_send(const ARCH_FLASH struct usart_port *port, uint8_t byte);

/* [impl] CHIP_USART_... the bits of the chip's register that say so */

/* Receive errors, one bit each. */
enum usart_error {
    USART_DAMAGED = CHIP_USART_DAMAGED, /* a stop bit is missing: the byte is not worth keeping */
    USART_OVERRUN = CHIP_USART_OVERRUN, /* the port was full and bytes were lost; how many is not
                                           known */
    USART_WRONG_PARITY = CHIP_USART_WRONG_PARITY, /* the parity bit is wrong */
    USART_ERRORS = USART_DAMAGED | USART_OVERRUN | USART_WRONG_PARITY,
};

/* Takes the received byte; only while USART_RECEIVED holds.
 * returns   bits of enum usart_error; an overrun is reported once */
unsigned usart_receive(const ARCH_FLASH struct usart_port *port, uint8_t *byte);

/* Sends `byte` without interrupts, for the report of a panic, and waits until it has been sent,
 * though not for ever.
 * returns   whether it has been sent */
bool usart_send_waiting(const ARCH_FLASH struct usart_port *port, uint8_t byte);

#endif
