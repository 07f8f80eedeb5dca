/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The I2C bus with the board's HDC1080, which fails at set times (input.txt). */
#include <lichen/i2c.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"

enum {
    SENSOR = 0x40,
    NOBODY = 0x21,
    MEASURING_MS = 7,
    BYTE_US = 90,
    PATIENCE_MS = 50,
};

static const uint8_t temperature_register = 0x00;
static const uint8_t manufacturer_register = 0xfe;
static const uint8_t configuration[] = {0x02, 0x00, 0x00};

static int read_manufacturer(uint16_t *number)
{
    uint8_t bytes[2];
    int error = i2c_write_read(SENSOR, &manufacturer_register, 1, bytes, sizeof(bytes));

    *number = (uint16_t)(bytes[0] << 8 | bytes[1]);
    return error;
}

static void expect_manufacturer(void)
{
    uint16_t number;

    expect_equal(read_manufacturer(&number), 0);
    expect_equal(number, 0x5449);
}

TEST(a_register_is_read_after_a_repeated_start)
{
    sleep_ms(20);
    expect_manufacturer();
}

TEST(a_transfer_takes_as_long_as_its_bits)
{
    uint64_t start = time_now_us();
    expect_manufacturer();
    uint64_t took = time_now_us() - start;

    /* Two addresses and three bytes. */
    expect(took >= 5 * BYTE_US);
    expect(took < 5 * BYTE_US + 1500);
}

TEST(a_measurement_is_refused_until_it_is_done)
{
    uint8_t raw[2];

    expect_equal(i2c_write(SENSOR, configuration, sizeof(configuration)), 0);
    expect_equal(i2c_write(SENSOR, &temperature_register, 1), 0);
    expect_equal(i2c_read(SENSOR, raw, sizeof(raw)), ERR_EMPTY);
    sleep_ms(MEASURING_MS);
    expect_equal(i2c_read(SENSOR, raw, sizeof(raw)), 0);
    /* 20 degrees: 60 / 165 of the range, in 14 bits. */
    expect_equal(raw[0] << 8 | raw[1], 0x5d14);
}

TEST(nobody_answers_at_an_address_that_nobody_has)
{
    uint8_t byte;

    expect_equal(i2c_write(NOBODY, &temperature_register, 1), ERR_EMPTY);
    expect_equal(i2c_read(NOBODY, &byte, 1), ERR_EMPTY);
    expect_equal(i2c_write_read(NOBODY, &temperature_register, 1, &byte, 1), ERR_EMPTY);
    expect_manufacturer();
}

TEST(nothing_is_a_question_for_presence)
{
    expect_equal(i2c_write(SENSOR, 0, 0), 0);
    expect_equal(i2c_write(NOBODY, 0, 0), ERR_EMPTY);
    expect_manufacturer();
}

static SEMAPHORE(finished, 0);
static unsigned good;

static void read_often(void)
{
    for (unsigned i = 0; i < 20; i++) {
        uint16_t number;
        if (read_manufacturer(&number) == 0 && number == 0x5449) {
            good++;
        }
    }
    (void)semaphore_post(&finished);
}

static SEMAPHORE(begin, 0);

THREAD(one, 512, PRIORITY_APP)
{
    semaphore_wait(&begin);
    read_often();
}

THREAD(two, 512, PRIORITY_APP + 1)
{
    semaphore_wait(&begin);
    read_often();
}

TEST(threads_take_turns)
{
    (void)semaphore_post(&begin);
    (void)semaphore_post(&begin);
    semaphore_wait(&finished);
    semaphore_wait(&finished);
    expect_equal(good, 40);
}

TEST(a_part_that_is_gone_does_not_answer)
{
    uint16_t number;

    sleep_until_us(2500 * TIME_US_PER_MS);
    expect_equal(read_manufacturer(&number), ERR_EMPTY);
}

TEST(a_line_that_is_held_low_ends_a_transfer_in_time)
{
    uint16_t number;

    sleep_until_us(3500 * TIME_US_PER_MS);
    uint64_t start = time_now_us();
    expect_equal(read_manufacturer(&number), ERR_TIMEOUT);
    uint64_t took = time_now_us() - start;
    expect(took >= PATIENCE_MS * TIME_US_PER_MS);
    expect(took < (PATIENCE_MS + 4) * TIME_US_PER_MS);
    /* The bus was taken for free since: now the start is not seen on the line. */
    expect_equal(read_manufacturer(&number), ERR_IO);
    expect_equal(read_manufacturer(&number), ERR_IO);
}

TEST(a_line_that_is_released_is_used_again)
{
    sleep_until_us(4100 * TIME_US_PER_MS);
    expect_manufacturer();
}

TEST(nonsense_is_no_error_of_the_bus)
{
    uint16_t number;

    sleep_until_us(5500 * TIME_US_PER_MS);
    expect_equal(read_manufacturer(&number), 0);
    expect(number != 0x5449);
    sleep_until_us(6500 * TIME_US_PER_MS);
    expect_manufacturer();
}
