/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A mote with 4 KB of RAM has no room for this thread. */
#include <lichen/am.h>

#include "../fake_radio.h"
#include "../played.h"
#include "test.h"

THREAD_STOPPED(sender, 384, PRIORITY_APP)
{
    (void)!am_send(PLAYED_OTHER, PLAYED_TYPE, payload, 1);
}

TEST(a_thread_ends_while_it_sends)
{
    played_renew();
    fake.air_us = 20000;
    for (unsigned i = 0; i < 2; i++) {
        (void)thread_start(&sender, 0);
        sleep_ms(5 + 10 * i);
        thread_destroy(&sender);
    }
    sleep_ms(100);
    expect_equal(played_blocks_free(), played_free_at_first);
    expect_equal(am_send(PLAYED_OTHER, PLAYED_TYPE, payload, 1), 0);
}
