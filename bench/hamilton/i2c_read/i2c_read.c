/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread reads four bytes of the humidity sensor, as in table 5 of the Hamilton paper: one byte
 * says from which register.
 *
 *   read_begin .. read_end    from before the call to after it, in the thread
 */
#include <lichen/i2c.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "../../kernel/mark.h"

volatile uint32_t failures;

THREAD(reader, 512, PRIORITY_APP)
{
    static const uint8_t serial_number = 0xfb;
    static uint8_t bytes[4];

    for (;;) {
        sleep_ms(50);
        BENCH_MARK(read_begin);
        int error = i2c_write_read(0x40, &serial_number, 1, bytes, sizeof(bytes));
        BENCH_MARK(read_end);
        if (error != 0) {
            failures++;
        }
    }
}
