/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Random numbers. */
#include <lichen/event.h>
#include <lichen/random.h>
#include <lichen/reset.h>
#include <lichen/time.h>

#include "base/noise.h"
#include "test.h"

enum {
    DRAWS = 1000,
    VALUES = 10,
};

/* Of the seed 1. */
static const uint32_t sequence[] = {0x77eef724, 0x6f99472c, 0x65c86823, 0x6a161a47};

/* The first test: it begins again after a reset. Samples of start-up that come after a seed are not
 * added. */
TEST(a_reset_does_not_repeat_the_sequence)
{
    static uint32_t before __attribute__((section(".noinit")));
    static uint32_t seeded __attribute__((section(".noinit")));
    uint32_t first = random_u32();

    if (reset_cause() != RESET_SOFTWARE) {
        before = first;
        random_seed(1);
        sleep_ms(50);
        seeded = random_u32();
        reset_mote();
    }
    expect(first != before);
    expect_equal(seeded, sequence[0]);
}

TEST(numbers_differ_from_the_start)
{
    uint32_t first = random_u32();

    expect(first != random_u32());
}

/* The samples at start-up have been added by then: the sequence is that of no seed. */
TEST(a_seed_gives_the_sequence_of_the_generator)
{
    sleep_ms(50);
    for (unsigned round = 0; round < 2; round++) {
        random_seed(1);
        for (unsigned i = 0; i < 4; i++) {
            expect_equal(random_u32(), sequence[i]);
        }
    }
    random_seed(2);
    expect(random_u32() != sequence[0]);
}

TEST(noise_that_comes_after_a_seed_is_not_added)
{
    random_seed(1);
    random_noise(0x1234);
    expect_equal(random_u32(), sequence[0]);
}

/* Words of four bytes, the first one the highest, each stirred in by four steps. */
TEST(what_is_added_changes_the_sequence)
{
    static const uint8_t noise[] = {1, 2, 3, 4, 5};
    static const uint32_t numbers[] = {0x77eef724, 0x77a9567d, 0x5adbc270,
                                       0x5e18a000, 0x0cf053d4, 0x571eaa2e};

    for (unsigned length = 0; length <= sizeof(noise); length++) {
        random_seed(1);
        random_add(noise, length);
        expect_equal(random_u32(), numbers[length]);
    }
}

/* Each value 100 times, within four standard deviations of 9.5. */
TEST(each_value_below_a_bound_is_equally_likely)
{
    static unsigned count[VALUES];

    for (unsigned i = 0; i < DRAWS; i++) {
        uint32_t value = random_below(VALUES);
        expect(value < VALUES);
        count[value]++;
    }
    for (unsigned value = 0; value < VALUES; value++) {
        expect(count[value] > DRAWS / VALUES - 38);
        expect(count[value] < DRAWS / VALUES + 38);
    }
    expect_equal(random_below(1), 0);
    expect(random_below(0x80000001) <= 0x80000000);
}

TEST(bytes_are_filled_and_no_more)
{
    uint8_t bytes[16] = {0};

    for (unsigned length = 0; length < sizeof(bytes); length++) {
        random_bytes(bytes, length);
        expect_equal(bytes[length], 0);
    }
    random_seed(1);
    random_bytes(bytes, sizeof(bytes));
    for (unsigned i = 0; i < sizeof(bytes); i++) {
        expect_equal(bytes[i], (uint8_t)(sequence[i / 4] >> 8 * (i % 4)));
    }
}

static uint32_t in_event;

EVENT(draws)
{
    in_event = random_u32();
}

TEST(events_draw_too)
{
    random_seed(1);
    event_post(&draws);
    expect_equal(in_event, 0x77eef724);
}
