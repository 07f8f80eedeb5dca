/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Nothing that works beside the processor notices that its clock changes, at random moments: the
 * I2C bus with the sensor of humidity, the radio's SPI bus, the converter, alarms in microseconds,
 * time and sleep, and the report itself on the console.
 */
#include <lichen/adc.h>
#include <lichen/alarm.h>
#include <lichen/event.h>
#include <lichen/gpio.h>
#include <lichen/i2c.h>
#include <lichen/init.h>
#include <lichen/print.h>
#include <lichen/spi.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "clock_disturber.h"
#include "late.h"
#include "micro_clock.h"
#include "test.h"

enum {
    ROUNDS = 100,
    SENSOR = 0x40,
    MANUFACTURER = 0x5449,
    CHANGE_US = 150,
    BYTE_US = 90, /* at 100 kHz */
    SELECT = GPIO_PIN('B', 31),
    SLP_TR = GPIO_PIN('A', 20),
    READ_PART_NUM = 0x9c,
    AT86RF233 = 0x0b,
    LIGHT = GPIO_PIN('A', 8),
};

static const struct spi_device radio = {
    .bus = &spi_radio, .hz = 4000000, .select = SELECT, .mode = 0};

static void open_radio(void)
{
    spi_open(&radio);
}
INIT(open_radio);

/* At least one change in each round, on average. */
static void expect_disturbed(void)
{
    disturber_stop();
    expect(disturbances > ROUNDS);
}

TEST(registers_of_a_sensor_are_read_by_i2c)
{
    static const uint8_t manufacturer_register = 0xfe;
    uint8_t bytes[2];

    sleep_ms(20); /* the sensor starts */
    disturber_start();
    for (unsigned round = 0; round < ROUNDS; round++) {
        bytes[0] = 0;
        int error = i2c_write_read(SENSOR, &manufacturer_register, 1, bytes, sizeof(bytes));
        expect_equal(error, 0);
        expect_equal(bytes[0] << 8 | bytes[1], MANUFACTURER);
    }
    expect_disturbed();
}

/* A bus that followed the processor would be faster than its parts can be. */
TEST(a_transfer_by_i2c_takes_as_long_at_48_mhz)
{
    static uint8_t many[100];

    chip_clock_set(CHIP_CLOCK_48_MHZ);
    uint64_t start = time_now_us();
    expect_equal(i2c_write(SENSOR, many, sizeof(many)), 0);
    expect(time_now_us() - start >= sizeof(many) * BYTE_US);
    chip_clock_set(CHIP_CLOCK_8_MHZ);
}

TEST(who_does_not_answer_is_noticed)
{
    static const uint8_t byte;

    disturber_start();
    for (unsigned round = 0; round < ROUNDS; round++) {
        expect_equal(i2c_write(0x21, &byte, 1), ERR_EMPTY);
    }
    expect_disturbed();
}

TEST(the_radio_answers_by_spi)
{
    static const uint8_t command[8] = {READ_PART_NUM};
    uint8_t in[8];

    gpio_clear(SLP_TR);
    sleep_ms(2);
    disturber_start();
    for (unsigned round = 0; round < 4 * ROUNDS; round++) {
        in[1] = 0;
        expect_equal(spi_exchange(&radio, command, in, 2), 0);
        expect_equal(in[1], AT86RF233);
    }
    expect_disturbed();
    gpio_set(SLP_TR);
}

TEST(the_converter_says_what_it_says_without_changes)
{
    uint16_t steady, raw;

    expect_equal(adc_read(LIGHT, ADC_ONCE, &steady), 0);
    disturber_start();
    for (unsigned round = 0; round < 4 * ROUNDS; round++) {
        expect_equal(adc_read(LIGHT, ADC_ONCE, &raw), 0);
        expect_equal(raw, steady);
    }
    expect_disturbed();
}

static volatile bool fired;
static volatile uint16_t fired_at;

EVENT(fires)
{
    fired_at = micro_now();
    fired = true;
}
static ALARM(alarm, fires);

/* Half the frequency, twice what setting an alarm and its event take; and each may be held up by a
 * change, with the thread that makes it. */
TEST(alarms_come_in_time)
{
    micro_start();
    disturber_start();
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint16_t us = (uint16_t)(disturber_random() % 3000);
        fired = false;
        uint16_t start = micro_now();
        expect_equal(alarm_set(&alarm, us), 0);
        while (!fired) {
        }
        expect(micro_us(start, fired_at) >= us);
        expect(micro_us(start, fired_at) <=
               us + 2u * (MICRO_EVENT_US + MICRO_SLACK_US + CHANGE_US));
    }
    expect_disturbed();
}

TEST(time_goes_on_and_sleep_is_never_short)
{
    uint64_t last = time_now_us();

    disturber_start();
    for (unsigned round = 0; round < 2 * ROUNDS; round++) {
        uint32_t us = disturber_random() % 5000;
        uint64_t begin = time_now_us();
        expect(begin >= last);
        sleep_us(us);
        last = time_now_us();
        expect(last >= begin + us);
        expect(last <= begin + us + LATE_US + 4 * READING_US);
    }
    expect_disturbed();
}

/* The same length by the clock that does not change. */
TEST(lengths_are_as_long_as_by_another_clock)
{
    disturber_start();
    for (unsigned round = 0; round < ROUNDS / 4; round++) {
        uint64_t begin = time_now_us();
        uint16_t start = micro_now();
        while (micro_us(start, micro_now()) < 20000) {
        }
        uint32_t us = (uint32_t)(time_now_us() - begin);
        expect(us >= 20000 - 2 * READING_US && us <= 20000 + 3 * READING_US);
    }
    expect_disturbed();
}

TEST(the_console_says_this)
{
    disturber_start();
    for (unsigned round = 0; round < 20; round++) {
        print("the quick brown fox jumps over the lazy dog %u\n", round);
    }
    disturber_stop();
}
