/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The board's I2C bus, at 100 kHz.
 *
 *     static const uint8_t pointer = 0x02;
 *     uint8_t configuration[2];
 *     int error = i2c_write_read(0x40, &pointer, 1, configuration, 2);
 *
 * The bus's interrupt moves the bytes while other threads run or the processor sleeps. Threads take
 * turns: a transfer is never interrupted by another one. A part that does not answer, a bus that
 * another one has taken, and a line that something holds low end a transfer with an error; the bus
 * is then ready for the next one.
 */
#ifndef LICHEN_I2C_H
#define LICHEN_I2C_H

#include <stddef.h>
#include <stdint.h>

#include <lichen/error.h>

/* Writes bytes, then reads bytes after a repeated start; leaves out what has length 0. With both 0,
 * it asks whether a part answers.
 * address   7 bits
 * returns   0; ERR_EMPTY: nothing acknowledges the address, because there is no such part or
 *           because it is busy; ERR_IO: a byte is not acknowledged, or a line does not follow;
 *           ERR_TIMEOUT: a line is held low, and the bus does not move; ERR_INVALID: the address
 *           has more bits, and nothing was sent
 *           after an error, `in` may be partly filled
 * context   thread
 * blocks    yes, if the bus is free at most 50 ms, and 1 ms for each byte and address
 *           cost  90 us for each byte and address, and 30 us more for its interrupt on the SAM R21
 *           at 8 MHz, 26 on the ATmega128, which takes another 22 for each start [test mote/i2c]
 */
MUST_CHECK int i2c_write_read(uint8_t address, const void *out, size_t out_length, void *in,
                              size_t in_length);

/* Writes bytes.
 * returns   as i2c_write_read
 * context   thread
 * blocks    yes      cost  as i2c_write_read
 */
MUST_CHECK static inline int i2c_write(uint8_t address, const void *bytes, size_t length)
{
    return i2c_write_read(address, bytes, length, 0, 0);
}

/* Reads bytes.
 * returns   as i2c_write_read
 * context   thread
 * blocks    yes      cost  as i2c_write_read
 */
MUST_CHECK static inline int i2c_read(uint8_t address, void *bytes, size_t length)
{
    return i2c_write_read(address, 0, 0, bytes, length);
}

#endif
