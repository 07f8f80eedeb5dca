/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A message leaves from its sender's memory, so it is cut off when its deadline passes. */
#include <lichen/am.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"

enum {
    TYPE = 9,
    LONGEST = 118,
    STEP_US = 1700,
    LAST_US = 75000, /* longer than backoff and frame */
    AIR_US = 56000,  /* 135 bytes */
    MOST_US = 80000, /* with the longest backoff, and the part's turns */
};

static const uint8_t payload[LONGEST];

static uint32_t whole(void)
{
    uint64_t begin = time_now_us();

    expect_equal(am_send(AM_ALL, TYPE, payload, sizeof(payload)), 0);
    return (uint32_t)(time_now_us() - begin);
}

TEST(what_is_behind_one_that_is_cut_off_is_whole)
{
    unsigned cut = 0, sent = 0;

    expect_equal(link_open(0), 0);
    sleep_ms(200);
    for (uint32_t us = 0; us < LAST_US; us += STEP_US) {
        int error = am_send_until(AM_ALL, TYPE, payload, sizeof(payload), time_now_us() + us);
        expect(error == 0 || error == ERR_TIMEOUT);
        cut += error != 0;
        sent += error == 0;
        uint32_t took_us = whole();
        expect(took_us >= AIR_US);
        expect(took_us <= MOST_US);
    }
    expect(cut > 20);
    expect(sent > 0);
}

/* Nobody acknowledges: it is sent four times. */
TEST(the_same_while_it_is_sent_again)
{
    for (uint32_t us = 0; us < 4u * LAST_US; us += 4u * STEP_US) {
        int error = am_send_until(1, TYPE, payload, sizeof(payload), time_now_us() + us);
        expect(error == ERR_NO_ACK || error == ERR_TIMEOUT);
        uint32_t took_us = whole();
        expect(took_us >= AIR_US);
        expect(took_us <= MOST_US + 20000u); /* what awaits its acknowledgment is not cut off */
    }
}
