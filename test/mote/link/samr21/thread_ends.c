/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A mote with 4 KB of RAM has no room for this thread. */
#include <lichen/alarm.h>
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

/* Wherever it is: the packet is made, waits, is sent, or has been. */
THREAD_STOPPED(interrupted, 384, PRIORITY_LOW)
{
    for (;;) {
        (void)!am_send(AM_ALL, PLAYED_TYPE, payload, sizeof(payload));
    }
}

TEST(a_thread_ends_at_any_moment_of_sending)
{
    enum { MOST_US = 3000, STEP_US = 7 };

    played_renew();
    fake.air_us = 1000;
    for (uint16_t us = 1; us < MOST_US; us += STEP_US) {
        (void)thread_start(&interrupted, 0);
        sleep_exact_us(us);
        thread_destroy(&interrupted);
    }
    sleep_ms(100);
    expect_equal(played_blocks_free(), played_free_at_first);
}
