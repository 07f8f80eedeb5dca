/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A log on the board's AT45DB041B, which fails at set times (input.txt). */
#include <lichen/log.h>
#include <lichen/time.h>

#include "test.h"

/* input.txt */
#define LAST_FAILURE_MS       13316
#define LAST_WRITE_FAILURE_MS 17000

LOG_CIRCULAR(ring, 4 * 248);

static uint8_t number;

/* Appends the next number and makes it safe. */
static int log_next(void)
{
    int error = log_append(&ring, &number, 1);

    if (error == 0) {
        error = log_sync(&ring);
    }
    number++;
    return error;
}

/* All numbers so far are in the log. */
static void expect_all(void)
{
    uint8_t wanted = 0, got;
    size_t length = 1;

    expect_equal(log_seek(&ring, LOG_OLDEST), 0);
    for (; log_read(&ring, &got, &length) == 0; wanted++) {
        expect_equal(got, wanted);
    }
    expect_equal(wanted, number);
}

/* Fails soon, and holds nothing up. */
static void expect_failure(void)
{
    uint64_t start = time_now_us();

    expect_equal(log_next(), ERR_IO);
    expect(time_now_us() - start < 100 * TIME_US_PER_MS);
}

TEST(it_works_at_first)
{
    for (unsigned i = 0; i < 10; i++) {
        expect_equal(log_next(), 0);
    }
    expect_all();
}

TEST(a_part_that_is_missing_is_no_storage)
{
    sleep_until_us(2500 * TIME_US_PER_MS);
    expect_failure();
    expect_failure();
}

TEST(what_was_appended_meanwhile_is_made_safe_when_the_part_is_back)
{
    sleep_until_us(4100 * TIME_US_PER_MS);
    expect_equal(log_sync(&ring), 0);
    ring.epoch = 0; /* as after a start */
    expect_all();
}

TEST(a_line_that_is_held_low_is_no_storage)
{
    sleep_until_us(5100 * TIME_US_PER_MS);
    expect_failure();
    ring.epoch = 0;
    uint8_t byte;
    size_t length = 1;
    expect_equal(log_read(&ring, &byte, &length), ERR_IO);
    number--; /* what was not safe is lost with the start */
    sleep_until_us(7100 * TIME_US_PER_MS);
    expect_all();
    expect_equal(log_next(), 0);
    expect_all();
}

TEST(nonsense_is_an_error_and_changes_nothing_that_is_safe)
{
    sleep_until_us(8100 * TIME_US_PER_MS);
    expect_failure();
    sleep_until_us(10100 * TIME_US_PER_MS);
    expect_equal(log_sync(&ring), 0);
    ring.epoch = 0;
    expect_all();
}

/* The part disappears while it is written: what it was to write is written again. */
TEST(a_part_that_is_gone_for_a_moment_loses_nothing)
{
    sleep_until_us(11940 * TIME_US_PER_MS);
    while (time_now_us() < 12300 * TIME_US_PER_MS) {
        (void)!log_next();
    }
    expect_equal(log_sync(&ring), 0);
    ring.epoch = 0;
    expect_all();
}

enum {
    RECORDS = 12,
    RECORD_BYTES = 100,
};

LOG(pages, 8 * 248);

static uint8_t byte_of(uint8_t record, uint8_t at)
{
    return (uint8_t)(7 * record + at);
}

static void write_pages(void)
{
    uint8_t record[RECORD_BYTES];

    for (uint8_t i = 0; i < RECORDS; i++) {
        for (uint8_t at = 0; at < RECORD_BYTES; at++) {
            record[at] = byte_of(i, at);
        }
        expect_equal(log_append(&pages, record, RECORD_BYTES), 0);
    }
    expect_equal(log_sync(&pages), 0);
}

/* A read that fails is repeated. */
static void read_pages(unsigned *failures)
{
    while (log_seek(&pages, LOG_OLDEST) != 0) {
        ++*failures;
    }
    for (uint8_t i = 0; i < RECORDS;) {
        uint8_t record[RECORD_BYTES];
        size_t length = RECORD_BYTES;
        int error = log_read(&pages, record, &length);
        if (error != 0) {
            expect_equal(error, ERR_IO);
            ++*failures;
            continue;
        }
        expect_equal(length, RECORD_BYTES);
        for (uint8_t at = 0; at < RECORD_BYTES; at++) {
            if (record[at] != byte_of(i, at)) {
                expect_equal(record[at], byte_of(i, at));
            }
        }
        i++;
    }
}

TEST(what_is_read_is_right_although_the_part_fails_at_times)
{
    unsigned failures = 0;

    write_pages();
    sleep_until_us(12950 * TIME_US_PER_MS);
    while (time_now_us() < LAST_FAILURE_MS * TIME_US_PER_MS) {
        read_pages(&failures);
    }
    expect(failures > 10);
}

static void append_safely(void)
{
    while (log_append(&ring, &number, 1) != 0) {
    }
    while (log_sync(&ring) != 0) {
    }
    number++;
    ring.epoch = 0; /* as after a start */
}

static uint8_t newest(void)
{
    uint8_t got = 0;
    int error;

    do {
        size_t length = 1;
        while (log_seek(&ring, LOG_OLDEST) != 0) {
        }
        do {
            error = log_read(&ring, &got, &length);
        } while (error == 0);
    } while (error == ERR_IO);
    expect_equal(error, ERR_EMPTY);
    return got;
}

/* The failures are shorter than a page takes on the wires. */
TEST(what_was_made_safe_is_there_although_the_part_fails_at_times)
{
    sleep_until_us(13950 * TIME_US_PER_MS);
    while (time_now_us() < LAST_WRITE_FAILURE_MS * TIME_US_PER_MS) {
        append_safely();
        uint8_t got = newest();
        expect_equal(got, number - 1);
    }
}
