/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The serial number of the mote. */
#include <lichen/serial_number.h>
#include <lichen/time.h>

#include <string.h>

#include "expected.h"
#include "test.h"

TEST(the_number_is_read)
{
    uint8_t number[SERIAL_NUMBER_BYTES] = {0};
    uint8_t zeros[SERIAL_NUMBER_BYTES] = {0};

    expect_equal(serial_number_read(number), 0);
    expect(is_expected(number));
    expect(memcmp(number, zeros, sizeof(number)) != 0);
}

/* The console's interrupts come meanwhile. */
TEST(it_is_always_the_same)
{
    uint8_t first[SERIAL_NUMBER_BYTES], again[SERIAL_NUMBER_BYTES];

    expect_equal(serial_number_read(first), 0);
    for (unsigned i = 0; i < 10; i++) {
        memset(again, 0, sizeof(again));
        expect_equal(serial_number_read(again), 0);
        expect_equal(memcmp(first, again, sizeof(first)), 0);
    }
}
