/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Frames among the characters of the console: doc/spec/loading.md. */
#ifndef DRIVER_CONSOLE_FRAMED_H
#define DRIVER_CONSOLE_FRAMED_H

#include <stdint.h>

#include <lichen/arch.h>

struct usart_port;

/* usart_receive, which in a program that takes frames is that of os/load/serial_receive.c
 * (os/features.cmake): a byte of a frame is USART_DAMAGED, so that nobody reads it.
 * context   the port's interrupt
 */
unsigned console_receive(const ARCH_FLASH struct usart_port *port, uint8_t *byte);

/* Sends bytes as a whole: nothing that others send comes in between.
 * length    at most CONSOLE_SEND_RING - 1
 * context   thread
 * blocks    yes, for the text of another thread, and for room
 */
void console_send_whole(const uint8_t *bytes, uint8_t length);

/* Receives from now on, as if somebody read.
 * context   thread
 * blocks    no
 */
void console_listen(void);

#endif
