/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The board's I2C bus, at 100 kHz.
 *
 *     static const uint8_t pointer = 0x02;
 *     uint8_t configuration[2];
 *     int error = i2c_write_read(0x40, &pointer, 1, configuration, 2);
 *
 * and for events, which cannot wait:
 *
 *     EVENT(measured) { ... reading.result, raw ... }
 *     static struct i2c_transfer reading = {
 *         .address = 0x40, .in = raw, .in_length = sizeof(raw), .ended = &measured};
 *     ... int error = i2c_start(&reading);
 *
 * The bus moves the bytes while other threads run or the processor sleeps. The SAM R21 reads by
 * DMA, up to 255 bytes at once; everything else goes by interrupts, since the acknowledge of each
 * byte sent must be checked. Transfers take turns, in the order in which they were started, and
 * none is interrupted by another one. A part that does not answer, a bus that another
 * master has taken, and a line that is held low end a transfer with an error; the bus is then ready
 * for the next one.
 */
#ifndef LICHEN_I2C_H
#define LICHEN_I2C_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lichen/error.h>

struct event;
struct syscall;

/* A transfer that ends with an event. It writes bytes, then reads bytes after a repeated start, and
 * leaves out what has length 0. With both 0, it asks whether a part answers. */
struct i2c_transfer {
    const void *out;
    void *in;
    size_t out_length;
    size_t in_length;
    struct event *ended;  /* posted at its end; 0: nothing */
    uint8_t address;      /* 7 bits */
    volatile bool active; /* from its start to its end */
    uint8_t result;       /* as i2c_write_read returns it, once it has ended */
    /* The driver's. */
    struct i2c_transfer *next;
    struct syscall *call; /* the thread's that waits for it; 0: none */
};

/* Starts a transfer as soon as those that were started before have ended.
 * returns   0: it will end, and not within this call, and post its event; ERR_BUSY: it has been
 *           started and has not ended; ERR_INVALID: the address has more bits, and nothing is sent
 * context   event, thread, coop
 * blocks    no
 * owns      the transfer and its bytes belong to the bus until it has ended or is cancelled
 */
MUST_CHECK int i2c_start(struct i2c_transfer *transfer);

/* Ends a transfer early, and then the bus is made ready for the next one. Its event is not posted,
 * but may already be pending.
 * returns   0, or ERR_EMPTY if it had ended
 * context   event, thread, coop
 * blocks    no       cost  0.1 to 0.3 ms if the transfer is under way; O(n) transfers that wait
 */
int i2c_cancel(struct i2c_transfer *transfer);

/* Writes bytes, then reads bytes after a repeated start; leaves out what has length 0. With both 0,
 * it asks whether a part answers.
 * address   7 bits
 * returns   0; ERR_EMPTY: nothing acknowledges the address, because there is no such part or
 *           because it is busy; ERR_IO: a byte is not acknowledged, a line did not follow, or DMA
 *           cannot write to `in`; ERR_TIMEOUT: a line is held low, and the bus does not move;
 *           ERR_INVALID: the address has more bits, and nothing was sent
 *           after an error, `in` may be partly filled
 * context   thread
 * blocks    yes, if the bus is free at most 50 ms, and 1 ms for each byte and address
 *           cost  90 us for each byte and address; for the interrupt after each that is not read by
 *           DMA 30 us more on the SAM R21 at 8 MHz, 26 on the ATmega128, which takes another 22 for
 *           each start [test mote/i2c]; of the processor, 1,591 cycles on the SAM R21 to read four
 *           bytes from a register [bench hamilton]
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
