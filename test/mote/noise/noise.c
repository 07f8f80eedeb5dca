/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The driver of the radio adds noise to the random numbers when it first receives: the test takes
 * the place of the generator.
 */
#include <lichen/random.h>
#include <lichen/radio.h>
#include <lichen/time.h>

#include "base/noise.h"
#include "test.h"

enum {
    SETTLED_MS = 100,
    LATER_MS = 5000,
    ENOUGH_MS = 60000, /* the MICA2 samples its channel each second */
    ENOUGH_BITS = 20,
};

static unsigned words;
static unsigned bits;               /* of all words, up to the highest bit of each that is 1 */
static uint32_t first, ones, zeros; /* of what has been added: bits that were 1, and 0 */

void random_noise(uint32_t noise)
{
    if (words == 0) {
        first = noise;
    }
    words++;
    for (uint32_t rest = noise; rest != 0; rest >>= 1) {
        bits++;
    }
    ones |= noise;
    zeros |= ~noise;
}

/* The radio of bytes backs off by itself. */
uint32_t random_u32(void)
{
    return 0;
}

EVENT(radio_received)
{
}

static unsigned restarts(void)
{
    struct radio_counters counters;
    radio_count(&counters);
    return counters.restarts;
}

TEST(a_radio_that_sleeps_has_none)
{
    sleep_ms(SETTLED_MS);
    expect_equal(words, 0);
}

TEST(a_radio_that_listens_adds_noise)
{
    struct radio_settings settings = {
        .channel = radio_facts.channel_first,
        .flags = radio_facts.capabilities & RADIO_CAN_FILTER ? RADIO_FILTER : 0};
    expect_equal(radio_set(&settings), 0);
    radio_listen(true);
    sleep_ms(LATER_MS);
    expect(words > 0);
    expect((ones & zeros) != 0 || (first != 0 && first != UINT32_MAX));
    expect_equal(restarts(), 0);
}

/* Each has enough after some samples. */
TEST(it_does_so_for_a_while_only)
{
    sleep_ms(ENOUGH_MS);
    unsigned before = words;
    expect(bits >= ENOUGH_BITS);
    radio_listen(false);
    sleep_ms(SETTLED_MS);
    radio_listen(true);
    sleep_ms(LATER_MS);
    expect_equal(words, before);
    expect_equal(restarts(), 0);
}
