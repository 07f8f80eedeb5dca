/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An SPI bus that a W25Q80DV and an AT45DB041B share. */
#include <lichen/event.h>
#include <lichen/gpio.h>
#include <lichen/init.h>
#include <lichen/semaphore.h>
#include <lichen/spi.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "sleep_mode.h"
#include "test.h"

enum {
    FLASH_SELECT = GPIO_PIN('B', 3),
    DATAFLASH_SELECT = GPIO_PIN('B', 17),
    PAGE = 256,
    DATAFLASH_READY = 0x9c, /* of 4 Mbit */
    WRITE_ENABLE = 0x06,
    PROGRAMMING_MS = 5,
    AROUND_US = 1500,
};

#define NO_MEMORY ((void *)0x30000000)

static const struct spi_device flash = {
    .bus = &spi_board, .hz = 4000000, .select = FLASH_SELECT, .mode = 0};
static const struct spi_device slow_flash = {
    .bus = &spi_board, .hz = 100000, .select = FLASH_SELECT, .mode = 3};
static const struct spi_device dataflash = {
    .bus = &spi_board, .hz = 1000000, .select = DATAFLASH_SELECT, .mode = 3};

static void open_devices(void)
{
    spi_open(&flash);
    spi_open(&dataflash);
}
INIT(open_devices);

static const uint8_t identify = 0x9f;
static const uint8_t status = 0xd7;
static uint8_t page[PAGE + 4];
static uint8_t read_back[PAGE];

/* Manufacturer, type and capacity. */
static uint32_t identification(const struct spi_device *device)
{
    uint8_t bytes[3] = {0, 0, 0};

    expect_equal(spi_write_read(device, &identify, 1, bytes, sizeof(bytes)), 0);
    return (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
}

static uint8_t dataflash_status(void)
{
    uint8_t byte = 0;

    expect_equal(spi_write_read(&dataflash, &status, 1, &byte, 1), 0);
    return byte & 0xbc;
}

static void expect_nothing_prevents_sleep(void)
{
    sleep_ms(20);
    sleep_ms(1);
    expect_equal(sleep_mode(), SLEEP_DEEPEST);
}

TEST(a_memory_says_what_it_is)
{
    expect(gpio_read(FLASH_SELECT));
    expect_equal(identification(&flash), 0xef4014);
    expect_equal(identification(&flash), 0xef4014);
}

TEST(afterwards_nothing_prevents_sleep)
{
    expect_nothing_prevents_sleep();
}

TEST(a_device_that_shares_the_bus_has_its_own_mode_rate_and_select_line)
{
    for (unsigned i = 0; i < 3; i++) {
        expect_equal(dataflash_status(), DATAFLASH_READY);
        expect_equal(identification(&flash), 0xef4014);
        expect_equal(identification(&slow_flash), 0xef4014);
    }
}

/* Reads a page, and returns how long that took. */
static uint32_t us_of_page(const struct spi_device *device)
{
    static const uint8_t read[] = {0x03, 0, 0, 0};
    uint64_t begin = time_now_us();

    expect_equal(spi_write_read(device, read, sizeof(read), read_back, PAGE), 0);
    return (uint32_t)(time_now_us() - begin);
}

TEST(a_device_that_is_changed_has_its_new_rate_and_mode)
{
    struct spi_device device = flash;

    expect(us_of_page(&device) < 8 * PAGE + AROUND_US);
    device.hz = 100000;
    device.mode = 3;
    expect(us_of_page(&device) >= 80 * PAGE);
    expect_equal(identification(&device), 0xef4014);
    device.mode = 1; /* which the memory does not understand */
    expect(identification(&device) != 0xef4014);
    device.mode = 0;
    expect_equal(identification(&device), 0xef4014);
}

TEST(a_page_is_written_and_read_back)
{
    static const uint8_t write_enable = WRITE_ENABLE;
    static const uint8_t read[] = {0x03, 0, 0, 0};

    page[0] = 0x02;
    for (unsigned i = 0; i < PAGE; i++) {
        page[4 + i] = (uint8_t)(7 * i + 1);
    }
    expect_equal(spi_write_read(&flash, &write_enable, 1, 0, 0), 0);
    expect_equal(spi_write_read(&flash, page, sizeof(page), 0, 0), 0);
    sleep_ms(PROGRAMMING_MS);
    expect_equal(spi_write_read(&flash, read, sizeof(read), read_back, PAGE), 0);
    for (unsigned i = 0; i < PAGE; i++) {
        expect_equal(read_back[i], page[4 + i]);
    }
}

TEST(bytes_are_exchanged_at_once)
{
    static const uint8_t out[4] = {0x9f, 0, 0, 0};
    uint8_t in[4] = {0, 0, 0, 0};

    expect_equal(spi_exchange(&flash, out, in, 4), 0);
    expect_equal((uint32_t)in[1] << 16 | (uint32_t)in[2] << 8 | in[3], 0xef4014);
}

TEST(a_transfer_takes_as_long_as_its_bits)
{
    sleep_ms(20);
    uint64_t start = time_now_us();
    expect_equal(spi_write_read(&slow_flash, page, 100, 0, 0), 0);
    uint64_t took = time_now_us() - start;

    expect(took >= 8000);
    expect(took < 8000 + AROUND_US);
}

TEST(a_transfer_of_nothing_ends)
{
    expect_equal(spi_write_read(&flash, 0, 0, 0, 0), 0);
    expect_equal(identification(&flash), 0xef4014);
}

TEST(a_mode_and_a_rate_that_there_are_not_are_refused)
{
    static const struct spi_device odd = {
        .bus = &spi_board, .hz = 4000000, .select = FLASH_SELECT, .mode = 4};
    static const struct spi_device still = {
        .bus = &spi_board, .hz = 100, .select = FLASH_SELECT, .mode = 0};

    expect_equal(spi_write_read(&odd, page, 1, 0, 0), ERR_INVALID);
    expect_equal(spi_write_read(&still, page, 1, 0, 0), ERR_INVALID);
    expect_equal(identification(&flash), 0xef4014);
}

TEST(memory_that_dma_cannot_access_ends_a_transfer)
{
    expect_equal(spi_write_read(&flash, &identify, 1, NO_MEMORY, 3), ERR_IO);
    expect_equal(spi_write_read(&flash, NO_MEMORY, 3, 0, 0), ERR_IO);
    expect_nothing_prevents_sleep();
    expect_equal(identification(&flash), 0xef4014);
}

static volatile unsigned ends;
static SEMAPHORE(told, 0);

EVENT(transfer_ended)
{
    ends++;
    (void)semaphore_post(&told);
}

static uint8_t bytes[3];
static struct spi_transfer identifying = {.device = &flash,
                                          .out = &identify,
                                          .out_length = 1,
                                          .in = bytes,
                                          .in_length = 3,
                                          .ended = &transfer_ended};
static volatile int start_result;

EVENT(starts)
{
    start_result = spi_start(&identifying);
}

static void expect_identified(unsigned before)
{
    semaphore_wait(&told);
    expect_equal(ends, before + 1);
    expect(!identifying.active);
    expect_equal(identifying.result, 0);
    expect_equal(bytes[2], 0x14);
    bytes[2] = 0;
}

TEST(an_event_starts_a_transfer_and_another_one_learns_of_its_end)
{
    unsigned before = ends;

    event_post(&starts);
    expect_equal(start_result, 0);
    expect_identified(before);
}

static struct spi_transfer longer = {.device = &slow_flash, .out = page, .out_length = PAGE};

TEST(transfers_take_turns_in_the_order_of_their_starts)
{
    unsigned before = ends;

    expect_equal(spi_start(&longer), 0);
    expect_equal(spi_start(&identifying), 0);
    expect_equal(spi_start(&identifying), ERR_BUSY);
    expect_equal(dataflash_status(), DATAFLASH_READY);
    expect(!longer.active);
    expect_identified(before);
}

TEST(a_transfer_is_cancelled_while_it_waits_and_while_it_is_under_way)
{
    unsigned before = ends;

    expect_equal(spi_start(&longer), 0);
    expect_equal(spi_start(&identifying), 0);
    expect_equal(spi_cancel(&identifying), 0);
    expect_equal(identifying.result, ERR_CANCELLED);
    expect_equal(spi_cancel(&identifying), ERR_EMPTY);
    sleep_ms(3);
    expect(longer.active);
    expect(!gpio_read(FLASH_SELECT));
    expect_equal(spi_cancel(&longer), 0);
    expect_equal(longer.result, ERR_CANCELLED);
    expect(gpio_read(FLASH_SELECT));
    expect_equal(ends, before);
    expect_equal(identification(&flash), 0xef4014);
    expect_nothing_prevents_sleep();
}

static SEMAPHORE(forever, 0);

THREAD_STOPPED(sender, LARGE_STACK, PRIORITY_APP + 1)
{
    (void)!spi_write_read(&slow_flash, page, PAGE, 0, 0);
    semaphore_wait(&forever);
}

TEST(a_thread_that_ends_within_a_byte_leaves_a_bus_that_works)
{
    for (unsigned delay_ms = 2; delay_ms < 6; delay_ms++) {
        (void)thread_start(&sender, 0);
        sleep_ms(delay_ms);
        thread_destroy(&sender);
        expect(gpio_read(FLASH_SELECT));
        expect_equal(identification(&flash), 0xef4014);
    }
    expect_nothing_prevents_sleep();
}

TEST(a_device_that_is_gone_is_a_line_at_rest)
{
    sleep_until_us(3500 * TIME_US_PER_MS);
    expect(identification(&flash) != 0xef4014);
    expect_equal(dataflash_status(), DATAFLASH_READY);
}

TEST(a_line_that_a_device_holds_low_reads_as_zeros)
{
    sleep_until_us(4500 * TIME_US_PER_MS);
    expect_equal(identification(&flash), 0);
    sleep_until_us(5500 * TIME_US_PER_MS);
    expect_equal(identification(&flash), 0xef4014);
}
