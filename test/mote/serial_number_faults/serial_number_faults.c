/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A part with the serial number that fails as input.txt says. What has been read once is kept, so
 * the failures come first. */
#include <lichen/serial_number.h>
#include <lichen/time.h>

#include <string.h>

#include "test.h"

static uint8_t number[SERIAL_NUMBER_BYTES];
static uint8_t before[SERIAL_NUMBER_BYTES];

static void expect_at(uint32_t second, int error)
{
    sleep_until_us(second * UINT64_C(1000000) + 500000);
    expect_equal(serial_number_read(number), error);
}

TEST(a_part_that_is_absent_does_not_answer)
{
    expect_at(0, ERR_EMPTY);
    expect_equal(memcmp(number, before, sizeof(number)), 0);
}

TEST(a_line_that_is_held_low_is_an_error)
{
    expect_at(1, ERR_IO);
}

TEST(a_number_with_a_wrong_check_sum_is_refused)
{
    expect_at(2, ERR_CORRUPT);
    expect_equal(memcmp(number, before, sizeof(number)), 0);
}

TEST(afterwards_it_is_read)
{
    expect_at(3, 0);
    expect_equal(number[0], 1);
    memcpy(before, number, sizeof(number));
}

TEST(what_was_read_is_kept)
{
    expect_at(4, 0);
    expect_equal(memcmp(number, before, sizeof(number)), 0);
}
