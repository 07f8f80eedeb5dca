/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The serial console: bytes and lines, in and out.
 *
 * Both directions go through rings that interrupts fill and drain. The port starts before the first
 * thread, in every program that names one of these calls or print, and receives even while the mote
 * is in its deepest sleep: a start bit wakes the port, the complete byte wakes the processor. On
 * the ATmega128 nothing wakes the port, so from the first call that reads on the mote sleeps no
 * deeper than in idle mode. While bytes are being sent, sleep stays light.
 *
 * Text is usually written with print (lichen/print.h), which gives the guarantees of this header.
 */
#ifndef LICHEN_CONSOLE_H
#define LICHEN_CONSOLE_H

#include <stddef.h>
#include <stdint.h>

#include <lichen/error.h>
#include <lichen/room.h>

/* Bytes that may be pending before a writing thread has to wait. */
#define CONSOLE_SEND_RING 128u

/* Bytes that may wait to be read. Bytes that do not fit are dropped and counted. */
#define CONSOLE_RECEIVE_RING 128u

/* Sends bytes unchanged. From a thread: waits for room, and bytes of other threads do not come in
 * between. From an event: bytes that do not fit are dropped and counted.
 * context   event, thread
 * blocks    yes in a thread; an event never waits
 * owns      `bytes` is the caller's again on return, though not all may have been sent
 */
void console_write(const void *bytes, size_t length);

/* Waits until everything that was written before has been sent, to the end of its last stop bit, as
 * POSIX's tcdrain: before the power is cut, or before noting that a report has left.
 * context   thread
 * blocks    yes, up to 12 ms for a full ring at 115,200 baud, and for what others write meanwhile
 */
void console_drain(void);

/* Waits for one byte. If several threads wait, the most urgent one gets it.
 * returns   the byte
 * context   thread
 * blocks    yes
 */
uint8_t console_read(void);

/* Waits for one byte, until the deadline at most.
 * deadline  microseconds of the system clock; if it is past, only tries
 * returns   0 with the byte in `*byte`, or ERR_TIMEOUT
 * context   thread
 * blocks    yes
 */
MUST_CHECK int console_read_until(uint8_t *byte, uint64_t deadline);

/* Waits for a line, which is ended by carriage return or line feed (both together end one line).
 * Backspace deletes a character. Input is not echoed: terminals do that themselves.
 * line      receives the text with a zero byte instead of the line's end; characters beyond
 *           `size` - 1 are dropped, and backspace deletes them first
 * size      at least 1
 * returns   the length of the text
 * context   thread
 * blocks    yes
 */
size_t console_read_line(char *line, size_t size);
#define console_read_line(line, size)                                                              \
    ((console_read_line)(line, room_check(size, __builtin_object_size(line, 1))))

/* Bytes lost since start-up because a ring was full, in both directions together, plus the number
 * of times the port itself overran because its interrupt was delayed for three bytes; how many
 * bytes it lost each time is not known.
 * returns   modulo 2^32
 * context   any
 * blocks    no
 */
uint32_t console_lost(void);

/* Those of them that were lost on input.
 * returns   modulo 2^32
 * context   any
 * blocks    no
 */
uint32_t console_lost_input(void);

#endif
