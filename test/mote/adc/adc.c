/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Analog inputs: what is inside the chip, and its errors. Pins are in a file for each chip. */
#include <lichen/adc.h>
#include <lichen/event.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "adc_of_chip.h"
#include "late.h"
#include "sleep_mode.h"
#include "test.h"

static void expect_about(uint16_t value, uint16_t wanted, uint16_t error)
{
    expect(value + error >= wanted);
    expect(value <= wanted + error);
}

static void expect_supply(unsigned options)
{
    uint16_t value = 0;

    expect_equal(adc_read_mv(ADC_SUPPLY, options, &value), 0);
    expect_equal(value, SUPPLY_MV);
    expect(converter_is_off());
}

TEST(the_supply_is_measured)
{
    uint16_t raw = 0;

    expect_supply(ADC_ONCE);
    expect_equal(adc_read(ADC_SUPPLY, ADC_ONCE, &raw), 0);
    expect_equal(raw, SUPPLY_RAW);
}

TEST(a_mean_of_what_does_not_change_is_the_same)
{
    for (unsigned mean = ADC_MEAN_OF_2; mean <= ADC_MEAN_OF_1024; mean++) {
        uint16_t raw = 0;

        expect_equal(adc_read(ADC_SUPPLY, mean, &raw), 0);
        expect_equal(raw, SUPPLY_RAW);
    }
}

/* Two conversions: its own and that of the supply. */
TEST(millivolts_of_the_supplys_scale_need_the_supply)
{
    uint16_t millivolts = 0;
    uint16_t raw = 0;

    expect_equal(adc_read_mv(ADC_BANDGAP, ADC_ONCE, &millivolts), 0);
    expect_about(millivolts, BANDGAP_MV, BANDGAP_MV_ERROR);
    expect_equal(adc_read(ADC_BANDGAP, ADC_ONCE, &raw), 0);
    expect_equal(((uint32_t)raw * SUPPLY_MV + ADC_FULL_SCALE / 2) / ADC_FULL_SCALE, millivolts);
    expect(converter_is_off());
}

TEST(what_does_not_exist_is_refused)
{
    static const uint8_t inputs[] = {NOT_ANALOG, NOT_OF_BOARD, ADC_TEMPERATURE + 1, 0xff};
    uint16_t value = 7;

    for (unsigned i = 0; i < sizeof(inputs); i++) {
        expect_equal(adc_read(inputs[i], ADC_ONCE, &value), ERR_INVALID);
        expect_equal(adc_read_mv(inputs[i], ADC_ONCE, &value), ERR_INVALID);
    }
    expect_equal(adc_read(ADC_SUPPLY, ADC_MEAN_OF_1024 + 1, &value), ERR_INVALID);
    expect_equal(adc_read(ADC_SUPPLY, 1 << 6, &value), ERR_INVALID);
    expect_equal(adc_read(ADC_SUPPLY, 1 << 8, &value), ERR_INVALID);
    expect_equal(value, 7);
    expect_supply(ADC_ONCE);
}

TEST(the_reference_is_full_scale_where_it_is_free)
{
    uint16_t raw = 0;
    int error = adc_read(ADC_BANDGAP, ADC_OF_REFERENCE, &raw);

    expect_equal(error, HAS_REFERENCE ? 0 : ERR_INVALID);
    expect_equal(raw, HAS_REFERENCE ? ADC_FULL_SCALE - 1 : 0);
}

TEST(the_temperature_is_the_factorys_where_there_is_a_sensor)
{
    int16_t centidegrees = 0;
    int error = adc_read_temperature(&centidegrees);

    expect_equal(error, CENTIDEGREES != 0 ? 0 : ERR_INVALID);
    expect(centidegrees >= CENTIDEGREES - STEP_CENTIDEGREES);
    expect(centidegrees <= CENTIDEGREES + STEP_CENTIDEGREES);
}

TEST(the_processor_sleeps_as_deeply_as_a_conversion_allows)
{
    uint16_t raw;

    sleep_ms(20);
    expect_equal(adc_read(ADC_SUPPLY, ADC_MEAN_OF_1024, &raw), 0);
    expect_equal(sleep_mode(), SLEEP_CONVERTING);
}

static void expect_time_of_mean(uint8_t input)
{
    uint16_t raw;

    sleep_ms(1);
    uint64_t start = time_now_us();
    expect_equal(adc_read(input, ADC_MEAN_OF_1024, &raw), 0);
    uint64_t took = time_now_us() - start;
    uint64_t least = (UINT64_C(1023) * SAMPLE_NS + FIRST_SAMPLE_NS) / 1000;
    expect(took + TICK_US >= least);
    expect(took < least + UINT64_C(1023) * SAMPLE_LATE_NS / 1000 + READING_US + LATE_US);
}

TEST(a_conversion_takes_its_time_and_no_more)
{
    expect_time_of_mean(ADC_SUPPLY);
}

/* The bandgap is off until it is measured. */
TEST(only_one_sample_of_a_source_that_was_off_is_worthless)
{
    expect_time_of_mean(ADC_BANDGAP);
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

static unsigned ended;

EVENT(one_ended)
{
    ended++;
}

static struct adc_request requests[3];

TEST(events_are_posted_at_the_end_in_the_order_of_the_requests)
{
    ended = 0;
    for (unsigned i = 0; i < 3; i++) {
        requests[i] = (struct adc_request){
            .input = i == 1 ? ADC_BANDGAP : ADC_SUPPLY,
            .options = ADC_MEAN_OF_128 | ADC_IN_MILLIVOLTS,
            .done = &one_ended,
        };
        expect_equal(adc_start(&requests[i]), 0);
    }
    expect_equal(requests[0].error, ERR_BUSY);
    expect_equal(requests[2].error, ERR_BUSY);
    sleep_ms(3);
    expect(requests[2].error == ERR_BUSY);
    sleep_ms(80);
    expect_equal(ended, 3);
    expect_equal(requests[0].error | requests[1].error | requests[2].error, 0);
    expect_equal(requests[0].millivolts, SUPPLY_MV);
    expect_about(requests[1].millivolts, BANDGAP_MV, BANDGAP_MV_ERROR);
    expect_equal(requests[2].raw, SUPPLY_RAW);
}

TEST(a_refused_request_posts_nothing)
{
    ended = 0;
    requests[0] = (struct adc_request){.input = NOT_ANALOG, .done = &one_ended};
    expect_equal(adc_start(&requests[0]), ERR_INVALID);
    sleep_ms(1);
    expect_equal(ended, 0);
}

static SEMAPHORE(begin, 0);
static SEMAPHORE(finished, 0);
static unsigned good;

static void read_often(uint8_t input, uint16_t wanted)
{
    semaphore_wait(&begin);
    for (unsigned i = 0; i < 20; i++) {
        uint16_t millivolts = 0;
        if (adc_read_mv(input, ADC_MEAN_OF_4, &millivolts) == 0 &&
            millivolts + BANDGAP_MV_ERROR >= wanted && millivolts <= wanted + BANDGAP_MV_ERROR) {
            good++;
        }
    }
    (void)semaphore_post(&finished);
}

THREAD(one, LARGE_STACK, PRIORITY_APP)
{
    read_often(ADC_SUPPLY, SUPPLY_MV);
}

THREAD(two, LARGE_STACK, PRIORITY_APP + 1)
{
    read_often(ADC_BANDGAP, BANDGAP_MV);
}

TEST(threads_take_turns)
{
    (void)semaphore_post(&begin);
    (void)semaphore_post(&begin);
    semaphore_wait(&finished);
    semaphore_wait(&finished);
    expect_equal(good, 40);
}

static SEMAPHORE(forever, 0);

THREAD_STOPPED(reader, LARGE_STACK, PRIORITY_APP + 1)
{
    uint16_t raw;

    (void)!adc_read(ADC_SUPPLY, ADC_MEAN_OF_256, &raw);
    semaphore_wait(&forever);
}

TEST(a_thread_that_ends_takes_its_request_along)
{
    (void)thread_start(&reader, 0);
    sleep_ms(1);
    thread_destroy(&reader);
    expect_supply(ADC_ONCE);
    expect_nothing_prevents_sleep();
}

TEST(so_does_one_whose_request_waits)
{
    ended = 0;
    requests[0] =
        (struct adc_request){.input = ADC_SUPPLY, .options = ADC_MEAN_OF_256, .done = &one_ended};
    expect_equal(adc_start(&requests[0]), 0);
    (void)thread_start(&reader, 0);
    sleep_ms(1);
    thread_destroy(&reader);
    expect_supply(ADC_ONCE);
    expect_equal(ended, 1);
    expect_equal(requests[0].raw, SUPPLY_RAW);
}
