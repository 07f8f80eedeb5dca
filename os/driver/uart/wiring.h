/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The board's second serial port. Defined by os/board/<name>, if the board has one; it also gives
 * the port's interrupt to `uart_interrupt`. */
#ifndef DRIVER_UART_WIRING_H
#define DRIVER_UART_WIRING_H

#include <lichen/uart.h>

/* Serves the port's interrupt. */
void uart_interrupt(void);

#endif
