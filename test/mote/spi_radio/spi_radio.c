/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The SPI bus of the radio. */
#include <lichen/event.h>
#include <lichen/gpio.h>
#include <lichen/init.h>
#include <lichen/semaphore.h>
#include <lichen/spi.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "part_of_chip.h"
#include "sleep_mode.h"
#include "test.h"

enum {
    WAKING_MS = 2,
    LENGTH = 200,
};

static const struct spi_device radio = {
    .bus = &spi_radio, .hz = 4000000, .select = SELECT, .mode = 0};
static const struct spi_device slow = {
    .bus = &spi_radio, .hz = SLOW_HZ, .select = SELECT, .mode = 0};
static const struct spi_device slower = {
    .bus = &spi_radio, .hz = 10000, .select = SELECT, .mode = 0};

static void open_radio(void)
{
    spi_open(&radio);
}
INIT(open_radio);

static const uint8_t command[LENGTH] = {ASK};
static uint8_t in[LENGTH];

static void expect_an_answer(void)
{
    uint8_t number = 0;

    expect_equal(spi_write_read(&radio, command, 1, &number, 1), 0);
    expect_equal(number, ANSWER);
    expect(gpio_read(SELECT));
}

static void expect_nothing_prevents_sleep(void)
{
    sleep_ms(20);
    sleep_ms(30);
    expect_equal(sleep_mode(), SLEEP_DEEPEST);
}

TEST(the_radio_answers)
{
    wake_radio();
    sleep_ms(WAKING_MS);
    expect_an_answer();
    expect_an_answer();
}

TEST(a_transfer_takes_as_long_as_its_bits_and_the_bus_sends_them_all)
{
    sleep_ms(20);
    uint64_t start = time_now_us();
    expect_equal(spi_exchange(&slow, command, in, LENGTH), 0);
    uint64_t took = time_now_us() - start;

    expect(took >= (uint32_t)LENGTH * BYTE_US);
    expect(took < (uint32_t)LENGTH * BYTE_US + AROUND_US);
    expect_nothing_prevents_sleep();
}

TEST(a_rate_that_there_is_not_is_refused)
{
    expect_equal(spi_write_read(&slower, command, 1, 0, 0), ERR_INVALID);
    expect_an_answer();
}

static volatile unsigned ends;
static SEMAPHORE(told, 0);

EVENT(transfer_ended)
{
    ends++;
    (void)semaphore_post(&told);
}

static struct spi_transfer transfer = {.device = &slow,
                                       .out = command,
                                       .in = in,
                                       .out_length = LENGTH,
                                       .at_once = true,
                                       .ended = &transfer_ended};

TEST(a_transfer_tells_its_end_or_is_cancelled)
{
    expect_equal(spi_start(&transfer), 0);
    expect_equal(spi_start(&transfer), ERR_BUSY);
    semaphore_wait(&told);
    expect_equal(transfer.result, 0);
    expect_equal(spi_start(&transfer), 0);
    sleep_ms(2);
    expect(transfer.active);
    expect_equal(spi_cancel(&transfer), 0);
    expect_equal(spi_cancel(&transfer), ERR_EMPTY);
    expect_an_answer();
    expect_nothing_prevents_sleep();
    expect_equal(ends, 1);
}

static SEMAPHORE(forever, 0);

THREAD_STOPPED(sender, LARGE_STACK, PRIORITY_APP + 1)
{
    (void)!spi_write_read(&slow, command, LENGTH, 0, 0);
    semaphore_wait(&forever);
}

TEST(a_thread_that_ends_within_a_byte_leaves_a_bus_that_works)
{
    for (unsigned delay_ms = 2; delay_ms < 6; delay_ms++) {
        (void)thread_start(&sender, 0);
        sleep_ms(delay_ms);
        thread_destroy(&sender);
        expect_an_answer();
    }
    expect_nothing_prevents_sleep();
}
