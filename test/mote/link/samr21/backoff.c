/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Backoffs are shorter than the ticks of some other clocks. */
#include <lichen/am.h>

#include "../fake_radio.h"
#include "../played.h"
#include "test.h"

/* The backoffs of five tries are 57 periods of 320 us on average. They would be 17 if they became
 * no longer, and 121 if nothing limited them. */
TEST(the_backoff_grows_with_each_try)
{
    enum { SENDINGS = 8, TRIES = 5, LEAST_MS = 100, MOST_MS = 250 };

    played_renew();
    settings.flags = LINK_RECEIVES_IN_BACKOFF;
    expect_equal(link_open(&settings), 0);
    fake.air_us = 100;
    uint64_t before = time_now_us();
    for (unsigned i = 0; i < SENDINGS; i++) {
        for (unsigned try = 0; try < TRIES; try++) {
            fake_plan(FAKE_BUSY);
        }
        expect_equal(am_send(AM_ALL, PLAYED_TYPE, payload, 2), ERR_CHANNEL);
    }
    uint64_t passed = time_now_us() - before;
    expect(passed > LEAST_MS * TIME_US_PER_MS && passed < MOST_MS * TIME_US_PER_MS);
}
