/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread reads four bytes of the humidity sensor, as in table 5 of the Hamilton paper.
 *
 *   read_begin .. read_end      a register's number, and its four bytes after a repeated start
 *   bytes_begin .. bytes_end    four bytes alone: the sensor remembers the register
 *
 * From before the call to after it, in the thread.
 */
#ifndef BENCH_READS_H
#define BENCH_READS_H

#include <lichen/assert.h>
#include <lichen/i2c.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "../kernel/mark.h"

enum {
    SENSOR_ADDRESS = 0x40,
    READS_MS = 50,
};

static inline void read_periodically(void)
{
    static const uint8_t serial_number = 0xfb;
    static uint8_t bytes[4];

    for (;;) {
        sleep_ms(READS_MS);
        BENCH_MARK(read_begin);
        int error = i2c_write_read(SENSOR_ADDRESS, &serial_number, 1, bytes, sizeof(bytes));
        BENCH_MARK(read_end);
        assert(error == 0);
        BENCH_MARK(bytes_begin);
        error = i2c_read(SENSOR_ADDRESS, bytes, sizeof(bytes));
        BENCH_MARK(bytes_end);
        assert(error == 0);
    }
}

#endif
