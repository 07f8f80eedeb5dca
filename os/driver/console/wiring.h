/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The console's serial port. Defined by os/board/<name>, which also gives the port's interrupt to
 * `console_interrupt`. */
#ifndef DRIVER_CONSOLE_WIRING_H
#define DRIVER_CONSOLE_WIRING_H

#include <stdint.h>

#include <lichen/arch.h>

struct usart_port;

struct console_wiring {
    const ARCH_FLASH struct usart_port *port;
    uint32_t baud;
};

extern const ARCH_FLASH struct console_wiring board_console;

/* Serves the port's interrupt. */
void console_interrupt(void);

#endif
