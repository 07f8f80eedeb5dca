/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The I2C bus with an HDC1080, which fails at set times (input.txt). */
#include <lichen/event.h>
#include <lichen/i2c.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "i2c_of_chip.h"
#include "sleep_mode.h"
#include "test.h"

enum {
    SENSOR = 0x40,
    NOBODY = 0x21,
    MEASURING_MS = 7,
    BYTE_US = 90,
    INTERRUPT_US = 35, /* after a byte */
    PATIENCE_US = 50000,
    BYTE_PATIENCE_US = 976,
    DMA_BYTES = 255,
    SEVERAL = 20,
    RECOVERY_US = 100, /* it takes longer */
};

static uint8_t many[700];

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

TEST(a_single_byte_is_read)
{
    uint8_t byte;

    expect_equal(i2c_write_read(SENSOR, &manufacturer_register, 1, &byte, 1), 0);
    expect_equal(byte, 0x54);
    expect_manufacturer();
}

/* How long some transfers take, one after the other. */
static uint32_t several_take_us(void)
{
    uint64_t start = time_now_us();

    for (unsigned i = 0; i < SEVERAL; i++) {
        expect_manufacturer();
    }
    return (uint32_t)(time_now_us() - start);
}

static uint32_t usual_us;

TEST(some_transfers_are_timed_before_any_has_failed)
{
    usual_us = several_take_us();
    expect(usual_us >= (uint32_t)SEVERAL * 5 * BYTE_US);
}

/* The console limits sleep until it has sent the last test's line. */
TEST(a_transfer_takes_as_long_as_its_bits_even_if_nothing_else_prevents_sleep)
{
    sleep_ms(20);
    uint64_t start = time_now_us();
    expect_manufacturer();
    uint64_t took = time_now_us() - start;

    /* Two addresses and three bytes. */
    expect(took >= 5 * BYTE_US);
    expect(took < 5 * BYTE_US + AROUND_US);
}

TEST(a_long_transfer_takes_longer_than_the_patience_for_a_short_one)
{
    uint64_t start = time_now_us();
    expect_equal(i2c_write(SENSOR, many, sizeof(many)), 0);
    uint64_t took = time_now_us() - start;

    expect(took >= (uint32_t)BYTE_US * sizeof(many));
    expect(took < (uint32_t)(BYTE_US + INTERRUPT_US) * sizeof(many));
}

static void expect_nothing_prevents_sleep(void)
{
    sleep_ms(20);
    sleep_ms(10);
    expect_equal(sleep_mode(), SLEEP_DEEPEST);
}

TEST(afterwards_nothing_prevents_sleep)
{
    expect_nothing_prevents_sleep();
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
    sleep_ms(1);
    expect(bus_is_free());
    expect_manufacturer();
}

TEST(an_address_of_more_bits_is_refused)
{
    expect_equal(i2c_write(SENSOR | 0x80, configuration, sizeof(configuration)), ERR_INVALID);
    expect_manufacturer();
}

/* The write starts a measurement, and until it is done the sensor does not answer. */
TEST(a_part_that_is_busy_after_the_repeated_start_is_like_nobody)
{
    uint8_t raw[2];

    expect_equal(i2c_write_read(SENSOR, &temperature_register, 1, raw, sizeof(raw)), ERR_EMPTY);
    sleep_ms(MEASURING_MS);
}

static SEMAPHORE(forever, 0);

static size_t reads; /* bytes */

THREAD_STOPPED(reader, LARGE_STACK, PRIORITY_APP + 1)
{
    (void)!i2c_read(SENSOR, many, reads);
    semaphore_wait(&forever);
}

static void expect_an_end_within_a_byte(size_t length)
{
    reads = length;
    for (unsigned delay_ms = 2; delay_ms < 6; delay_ms++) {
        (void)thread_start(&reader, 0);
        sleep_ms(delay_ms);
        thread_destroy(&reader);
        expect_nothing_prevents_sleep();
        expect_manufacturer();
    }
}

TEST(a_thread_that_ends_within_a_byte_leaves_a_bus_that_works)
{
    expect_an_end_within_a_byte(sizeof(many));
}

TEST(so_does_one_that_ends_while_dma_reads)
{
    expect_an_end_within_a_byte(DMA_BYTES);
}

TEST(bytes_beyond_what_dma_counts_are_read_too)
{
    expect_manufacturer();
    expect_equal(i2c_read(SENSOR, many, DMA_BYTES + 2), 0);
    expect_equal(many[0], 0x54);
    expect_equal(many[1], 0x49);
    expect_equal(i2c_read(SENSOR, many, DMA_BYTES), 0);
    expect_equal(many[0], 0x54);
    expect_equal(many[1], 0x49);
    expect_manufacturer();
}

TEST(memory_that_dma_cannot_write_ends_a_transfer)
{
    if (READS_BY_DMA) {
        expect_equal(i2c_read(SENSOR, NO_MEMORY, 4), ERR_IO);
        expect_manufacturer();
        expect_equal(i2c_write_read(SENSOR, &manufacturer_register, 1, NO_MEMORY, 1), ERR_IO);
        expect_manufacturer();
        expect_equal(i2c_write_read(SENSOR, &manufacturer_register, 1, NO_MEMORY, 2), ERR_IO);
        expect_nothing_prevents_sleep();
    }
    expect_manufacturer();
}

static uint8_t raw_number[2];
static volatile unsigned ends;
static volatile int start_result;
static SEMAPHORE(told, 0);

EVENT(transfer_ended)
{
    ends++;
    (void)semaphore_post(&told);
}

static struct i2c_transfer number_read = {
    .out = &manufacturer_register,
    .out_length = 1,
    .in = raw_number,
    .in_length = sizeof(raw_number),
    .ended = &transfer_ended,
    .address = SENSOR,
};

EVENT(starts)
{
    start_result = i2c_start(&number_read);
}

static void expect_number_told(unsigned before)
{
    semaphore_wait(&told);
    expect_equal(ends, before + 1);
    expect(!number_read.active);
    expect_equal(number_read.result, 0);
    expect_equal(raw_number[0] << 8 | raw_number[1], 0x5449);
}

TEST(an_event_starts_a_transfer_and_another_one_learns_of_its_end)
{
    unsigned before = ends;

    raw_number[0] = 0;
    event_post(&starts);
    expect_equal(start_result, 0);
    expect(number_read.active);
    expect_number_told(before);
    expect_nothing_prevents_sleep();
}

TEST(a_transfer_that_has_not_ended_is_not_started_again)
{
    unsigned before = ends;

    expect_equal(i2c_start(&number_read), 0);
    expect_equal(i2c_start(&number_read), ERR_BUSY);
    expect_number_told(before);
    expect_equal(i2c_start(&number_read), 0);
    expect_number_told(before + 1);
}

static struct i2c_transfer absent = {.ended = &transfer_ended, .address = NOBODY};

TEST(transfers_take_turns_in_the_order_of_their_starts)
{
    unsigned before = ends;

    expect_equal(i2c_start(&number_read), 0);
    expect_equal(i2c_start(&absent), 0);
    expect_manufacturer();
    expect_equal(ends, before + 2);
    expect_equal(absent.result, ERR_EMPTY);
    semaphore_wait(&told);
    semaphore_wait(&told);
}

TEST(a_transfer_to_an_address_of_more_bits_does_not_start)
{
    static struct i2c_transfer far = {.address = SENSOR | 0x80};

    expect_equal(i2c_start(&far), ERR_INVALID);
    expect(!far.active);
}

static struct i2c_transfer longer = {
    .in = many, .in_length = DMA_BYTES, .ended = &transfer_ended, .address = SENSOR};

TEST(a_transfer_is_cancelled_while_it_waits_and_while_it_is_under_way)
{
    unsigned before = ends;

    expect_equal(i2c_start(&longer), 0);
    expect_equal(i2c_start(&number_read), 0);
    expect_equal(i2c_cancel(&number_read), 0);
    expect_equal(number_read.result, ERR_CANCELLED);
    expect_equal(i2c_cancel(&number_read), ERR_EMPTY);
    sleep_ms(3);
    expect(longer.active);
    expect_equal(i2c_cancel(&longer), 0);
    expect_equal(longer.result, ERR_CANCELLED);
    expect(!longer.active);
    expect_manufacturer();
    expect_nothing_prevents_sleep();
    expect_equal(ends, before);
}

TEST(the_next_transfer_begins_when_one_is_cancelled)
{
    unsigned before = ends;

    expect_equal(i2c_start(&longer), 0);
    expect_equal(i2c_start(&number_read), 0);
    sleep_ms(2);
    expect_equal(i2c_cancel(&longer), 0);
    expect_number_told(before);
}

TEST(a_thread_that_ends_before_its_turn_is_forgotten)
{
    expect_equal(i2c_start(&longer), 0);
    reads = 2;
    (void)thread_start(&reader, 0);
    sleep_ms(2);
    thread_destroy(&reader);
    semaphore_wait(&told);
    expect_equal(longer.result, 0);
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

THREAD(one, LARGE_STACK, PRIORITY_APP)
{
    semaphore_wait(&begin);
    read_often();
}

THREAD(two, LARGE_STACK, PRIORITY_APP + 1)
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
    /* Two addresses and three bytes. */
    uint64_t patience = PATIENCE_US + 5 * BYTE_PATIENCE_US;
    expect(took >= patience);
    expect(took < patience + GIVEN_UP_US);
    expect_equal(read_manufacturer(&number), ERR_TIMEOUT);
    expect_equal(read_manufacturer(&number), ERR_TIMEOUT);
}

TEST(a_line_that_is_released_is_used_again)
{
    sleep_until_us(4100 * TIME_US_PER_MS);
    expect_manufacturer();
}

TEST(an_error_leaves_nothing_that_prevents_sleep)
{
    expect_nothing_prevents_sleep();
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

TEST(a_byte_that_is_not_acknowledged_is_an_error_of_the_bus)
{
    /* Early enough on a mote that starts 62 ms after its supply. */
    sleep_until_us(6925 * TIME_US_PER_MS);
    expect_equal(i2c_write(SENSOR, many, sizeof(many)), ERR_IO);
    sleep_until_us(7500 * TIME_US_PER_MS);
    expect_manufacturer();
}

TEST(a_line_that_something_else_drives_ends_a_transfer)
{
    sleep_until_us(7925 * TIME_US_PER_MS);
    expect_equal(i2c_write(SENSOR, many, sizeof(many)), ERR_TIMEOUT);
    sleep_until_us(8500 * TIME_US_PER_MS);
    expect_manufacturer();
    expect_nothing_prevents_sleep();
}

/* Its ones are lost when they are sent; the line is free again when the bus is recovered. */
TEST(a_line_that_something_else_drives_for_a_moment_is_an_error)
{
    for (size_t i = 0; i < sizeof(many); i++) {
        many[i] = 0xff;
    }
    sleep_until_us(8600 * TIME_US_PER_MS);
    expect_equal(i2c_write(SENSOR, many, sizeof(many)), 0);
    sleep_until_us(8800 * TIME_US_PER_MS);
    expect_equal(i2c_write(SENSOR, many, sizeof(many)), ERR_IO);
    /* It is recovered once, not after each transfer that follows. */
    expect(several_take_us() < usual_us + SEVERAL * RECOVERY_US / 2);
}

TEST(a_clock_that_a_part_holds_low_ends_a_transfer_in_time)
{
    uint16_t number;

    sleep_until_us(9500 * TIME_US_PER_MS);
    uint64_t start = time_now_us();
    int error = read_manufacturer(&number);
    uint64_t took = time_now_us() - start;
    if (SCL_IS_WATCHED) {
        expect_equal(error, ERR_TIMEOUT);
        expect(took >= SCL_LOW_LEAST_US);
        expect(took < SCL_LOW_MOST_US);
        expect_equal(read_manufacturer(&number), ERR_TIMEOUT);
        expect_nothing_prevents_sleep();
    }
    sleep_until_us(10500 * TIME_US_PER_MS);
    expect_manufacturer();
    expect_nothing_prevents_sleep();
}
