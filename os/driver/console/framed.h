/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Frames among the characters of the console: doc/spec/loading.md. */
#ifndef DRIVER_CONSOLE_FRAMED_H
#define DRIVER_CONSOLE_FRAMED_H

#include <stdbool.h>
#include <stdint.h>

/* console_interrupt, without and with frames (os/features.cmake). */
void console_interrupt_usual(void);
void console_interrupt_framed(void);

/* Takes a byte that was received: os/load/serial_receive.c. Only in programs with that file.
 * returns   whether it belongs to a frame: then nobody reads it
 * context   the port's interrupt
 */
bool serial_takes(uint8_t byte);

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
