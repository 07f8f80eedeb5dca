/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The serial console: bytes and lines, in and out.
 *
 * Both directions go through rings that interrupts serve. The port starts before the first thread,
 * in every program that names one of these calls or print, and receives also while the mote is in
 * its deepest sleep: a start bit wakes the port, the complete byte wakes the processor. While bytes
 * leave, sleep stays light.
 *
 * Text usually goes out through print (lichen/print.h), whose promises are made here.
 */
#ifndef LICHEN_CONSOLE_H
#define LICHEN_CONSOLE_H

#include <stddef.h>
#include <stdint.h>

#include <lichen/error.h>

/* Bytes that may wait to be sent before a writing thread has to. */
#define CONSOLE_SEND_RING 128u

/* Bytes that may wait to be read. What comes on top of that is lost and counted. */
#define CONSOLE_RECEIVE_RING 128u

/* Sends bytes as they are.
 * From a thread: waits for room, and bytes of other threads do not come in between. From an event:
 * bytes for which there is no room are lost and counted.
 * context   event, thread
 * blocks    yes in a thread; an event never waits
 * owns      `bytes` is the caller's again on return, though not all may have left
 */
void console_write(const void *bytes, size_t length);

/* Waits for one byte. Of several threads that wait, the most urgent gets it.
 * returns   the byte
 * context   thread
 * blocks    yes
 */
uint8_t console_read(void);

/* Waits for one byte, until a moment at most.
 * deadline  microseconds of the system clock; the past only looks
 * returns   0 with the byte in `*byte`, or ERR_TIMEOUT
 * context   thread
 * blocks    yes
 */
MUST_CHECK int console_read_until(uint8_t *byte, uint64_t deadline);

/* Waits for a line, which carriage return or line feed ends (both together end one line). Backspace
 * takes back a character. What is typed is not echoed: terminals do that themselves.
 * line      receives the text with a zero byte instead of the line's end; characters beyond
 *           `size` - 1 are dropped
 * size      at least 1
 * returns   the length of the text
 * context   thread
 * blocks    yes
 */
size_t console_read_line(char *line, size_t size);

/* Bytes lost since start-up because a ring was full, in both directions together; and how often the
 * port itself was full, because its interrupt was kept out for three bytes: how many it lost then
 * nobody knows.
 * returns   modulo 2^32
 * context   any
 * blocks    no
 */
uint32_t console_lost(void);

#endif
