/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Volumes in the board's storage. What a start finds is what volumes find that have forgotten what
 * they have in RAM, and so read storage again. */
#include <lichen/block.h>
#include <lichen/time.h>

#include "test.h"

enum {
    PAGE = 248,
    SIZE = 2 * PAGE + 100,
    OTHER_SIZE = 16,
};

VOLUME(volume, SIZE);
VOLUME(other, OTHER_SIZE);

static uint8_t bytes[SIZE];

/* The epoch of what is in RAM (driver/storage/lock.h). */
extern uint8_t storage_epoch;

static void start_anew(void)
{
    storage_epoch++;
}

static void fill(uint32_t offset, size_t length, uint8_t value)
{
    for (size_t i = 0; i < length; i++) {
        bytes[i] = value;
    }
    expect_equal(block_write(&volume, offset, bytes, length), 0);
}

static bool all(size_t length, uint8_t value)
{
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] != value) {
            return false;
        }
    }
    return true;
}

static void expect_value(uint32_t offset, size_t length, uint8_t value)
{
    expect_equal(block_read(&volume, offset, bytes, length), 0);
    expect(all(length, value));
}

TEST(what_was_never_written_is_ones)
{
    expect_value(0, SIZE, 0xff);
}

TEST(what_is_outside_is_refused)
{
    expect_equal(block_read(&volume, SIZE, bytes, 0), 0);
    expect_equal(block_read(&volume, SIZE, bytes, 1), ERR_INVALID);
    expect_equal(block_read(&volume, SIZE - 1, bytes, 2), ERR_INVALID);
    expect_equal(block_read(&volume, UINT32_MAX, bytes, 2), ERR_INVALID);
    expect_equal(block_write(&volume, 1, bytes, SIZE), ERR_INVALID);
    expect_equal(block_write(&volume, UINT32_MAX, bytes, 1), ERR_INVALID);
    uint16_t crc = 0xffff;
    expect_equal(block_crc(&volume, 1, SIZE, &crc), ERR_INVALID);
    expect_value(0, SIZE, 0xff);
}

TEST(bytes_are_read_as_they_were_written)
{
    fill(10, 5, 0x11);
    expect_value(10, 5, 0x11);
    expect_value(0, 10, 0xff);
    expect_value(15, 20, 0xff);
}

TEST(a_write_across_pages_changes_each)
{
    fill(PAGE - 3, PAGE + 6, 0x22);
    expect_value(PAGE - 3, PAGE + 6, 0x22);
    expect_value(10, 5, 0x11);
    expect_value(15, PAGE - 18, 0xff);
    expect_value(2 * PAGE + 3, SIZE - 2 * PAGE - 3, 0xff);
}

TEST(what_is_synchronized_is_there_after_a_start)
{
    expect_equal(block_sync(&volume), 0);
    fill(0, 2, 0x33);
    start_anew();
    expect_value(0, 2, 0xff);
    expect_value(10, 5, 0x11);
    expect_value(PAGE - 3, PAGE + 6, 0x22);
}

TEST(volumes_do_not_disturb_each_other)
{
    uint8_t value = 7;

    fill(0, SIZE, 0x44);
    expect_equal(block_write(&other, OTHER_SIZE - 1, &value, 1), 0);
    expect_equal(block_sync(&other), 0);
    expect_value(0, SIZE, 0x44);
    value = 0;
    expect_equal(block_read(&other, OTHER_SIZE - 1, &value, 1), 0);
    expect_equal(value, 7);
}

TEST(a_journal_that_has_gone_round_is_found)
{
    for (uint8_t value = 0; value < 7; value++) {
        fill(5, 1, value);
        expect_equal(block_sync(&volume), 0);
        start_anew();
        expect_value(5, 1, value);
        expect_value(6, SIZE - 6, 0x44);
    }
}

TEST(the_crc_is_that_of_the_bytes)
{
    static const char digits[] = "123456789";
    uint16_t crc = 0xffff, half = 0xffff;

    expect_equal(block_write(&volume, PAGE - 4, digits, 9), 0);
    expect_equal(block_crc(&volume, PAGE - 4, 9, &crc), 0);
    expect_equal(crc, 0x29b1);
    expect_equal(block_crc(&volume, PAGE - 4, 5, &half), 0);
    expect_equal(block_crc(&volume, PAGE + 1, 4, &half), 0);
    expect_equal(half, 0x29b1);
}

TEST(an_erased_volume_is_ones_now_and_after_a_start)
{
    fill(0, SIZE, 0x55);
    expect_equal(block_erase(&volume), 0);
    expect_value(0, SIZE, 0xff);
    start_anew();
    expect_value(0, SIZE, 0xff);
    fill(100, 3, 0x66);
    expect_equal(block_sync(&volume), 0);
    start_anew();
    expect_value(100, 3, 0x66);
}

TEST(a_write_of_almost_a_page_keeps_the_rest_of_it)
{
    fill(0, PAGE, 0x12);
    expect_equal(block_sync(&volume), 0);
    start_anew();
    fill(1, PAGE - 1, 0x34);
    expect_value(0, 1, 0x12);
    expect_value(1, PAGE - 1, 0x34);
    expect_equal(block_sync(&volume), 0);
}

/* Two pages of the part, each in 42 ms on the MICAs and in 17 on the SAM R21. */
TEST(a_page_is_written_in_the_time_that_is_promised)
{
    fill(0, 1, 0x77);
    uint64_t start = time_now_us();
    expect_equal(block_sync(&volume), 0);
    expect(time_now_us() - start < 90 * TIME_US_PER_MS);
    start = time_now_us();
    expect_equal(block_sync(&volume), 0);
    expect(time_now_us() - start < 3 * TIME_US_PER_MS);
}
