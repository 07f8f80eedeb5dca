/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Ticks from counts and back, against what their header says of them: the file of the chip, with a
 * state of the test's own.
 */
#define LICHEN_TICK_CALIBRATED

#include "chip/samr21/tick_length.c"

#include "test.h"

enum {
    LENGTHS = 200,
    NUMBERS = 50,
    PERCENT = 42949673, /* of 2^32 */
    COUNTS_MOST_LATE = 2,
};

static uint32_t random_number(void)
{
    static uint32_t number = 2463534242u;
    number ^= number << 13;
    number ^= number >> 17;
    number ^= number << 5;
    return number;
}

/* Small numbers are as frequent as those of years. */
static uint64_t random_distance(void)
{
    uint64_t number = (uint64_t)random_number() << 32 | random_number();
    return number >> (16 + random_number() % 48);
}

static int32_t random_excess(void)
{
    return (int32_t)(random_number() % (20 * PERCENT)) - 10 * PERCENT;
}

/* since * excess / 2^32, rounded down, digit by digit. */
static int64_t extra_ticks(uint64_t since, int32_t excess)
{
    uint32_t size = excess < 0 ? -(uint32_t)excess : (uint32_t)excess;
    uint64_t whole = 0, fraction = 0; /* of the product's size, in ticks and 2^32ths */

    for (unsigned bit = 0; bit < 64; bit++) {
        whole = whole << 1 | fraction >> 31;
        fraction = fraction << 1 & UINT32_MAX;
        if (since >> (63 - bit) & 1) {
            fraction += size;
            whole += fraction >> 32;
            fraction &= UINT32_MAX;
        }
    }
    return excess >= 0 ? (int64_t)whole : -(int64_t)whole - (fraction != 0);
}

TEST(a_count_has_as_many_ticks_as_was_measured)
{
    for (unsigned i = 0; i < LENGTHS; i++) {
        uint64_t base = random_distance();
        int32_t excess = random_excess();
        tick_length_set(base, excess);
        uint64_t at_base = tick_of_count(base);
        for (unsigned j = 0; j < NUMBERS; j++) {
            uint64_t since = random_distance();
            uint64_t tick = at_base + since + (uint64_t)extra_ticks(since, excess);
            expect(tick_of_count(base + since) == tick);
            expect(tick_from_count(base + since) == tick + (excess != 0));
        }
    }
}

TEST(another_length_does_not_move_the_tick_in_progress)
{
    uint64_t count = 0;

    for (unsigned i = 0; i < LENGTHS * NUMBERS; i++) {
        uint64_t before = tick_of_count(count);
        tick_length_set(count, random_excess());
        expect(tick_of_count(count) == before);
        count += random_distance() >> 20;
    }
}

TEST(at_its_count_a_tick_has_begun_and_not_long_ago)
{
    for (unsigned i = 0; i < LENGTHS; i++) {
        uint64_t base = random_distance();
        tick_length_set(base, random_excess());
        uint64_t at_base = tick_of_count(base);
        for (unsigned j = 0; j < NUMBERS; j++) {
            uint64_t tick = at_base + 1 + random_distance();
            uint64_t count = count_of_tick(tick);
            expect(tick_of_count(count) >= tick);
            if (tick - at_base < UINT32_MAX) {
                expect(tick_of_count(count - COUNTS_MOST_LATE - 1) < tick);
            }
        }
    }
}

TEST(a_tick_of_the_past_has_the_count_of_the_last_calibration)
{
    tick_length_set(1000000, PERCENT);
    uint64_t tick = tick_of_count(1000000);
    expect(count_of_tick(tick) == 1000000);
    expect(count_of_tick(tick - 1) == 1000000);
    expect(count_of_tick(0) == 1000000);
    expect(count_of_tick(tick + 1) > 1000000);
}

TEST(a_count_that_is_a_tick_costs_no_precision)
{
    tick_length_set(5000, 0);
    uint64_t tick = tick_of_count(5000);
    for (unsigned i = 0; i < LENGTHS * NUMBERS; i++) {
        uint64_t since = random_distance();
        expect(tick_of_count(5000 + since) == tick + since);
        expect(tick_from_count(5000 + since) == tick + since);
        expect(count_of_tick(tick + since) == 5000 + since);
    }
}
