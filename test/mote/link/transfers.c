/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* When transfers end, and how. */
#include <lichen/am.h>

#include "fake_radio.h"
#include "played.h"
#include "test.h"

enum {
    OTHER = PLAYED_OTHER,
    COUNT = PLAYED_TYPE, /* types of messages */
};

TEST(a_deadline_passes_while_the_frame_is_on_the_air)
{
    played_renew();
    fake.air_us = 20000;
    uint64_t before = time_now_us();
    expect_equal(am_send_until(OTHER, COUNT, payload, 2, before + 6000), ERR_TIMEOUT);
    expect(time_now_us() - before < 15000);
    sleep_ms(60);
    expect_equal(played_blocks_free(), played_free_at_first);
    fake.air_us = 1000;
    expect_equal(am_send(OTHER, COUNT, payload, 2), 0);
}

TEST(a_deadline_passes_before_its_turn)
{
    played_renew();
    fake.air_us = 20000;
    uint16_t sent = fake.sent;
    expect_equal(am_begin(&transfers[0], AM_ALL, COUNT, payload, 2), 0);
    expect_equal(am_send_until(AM_ALL, COUNT, payload, 2, time_now_us() + 5000), ERR_TIMEOUT);
    sleep_ms(80);
    expect_equal(fake.sent, sent + 1);
    expect_equal(played_blocks_free(), played_free_at_first);
}

static volatile uint8_t ended;

EVENT(transfer_ended)
{
    ended++;
}

TEST(transfers_end_in_their_order_with_an_event_each)
{
    played_renew();
    ended = 0;
    for (unsigned i = 0; i < 3; i++) {
        transfers[i].ended = &transfer_ended;
        transfers[i].flags = 0;
        payload[0] = (uint8_t)i;
        expect_equal(am_begin(&transfers[i], AM_ALL, COUNT, payload, 1), 0);
        expect_equal(am_begin(&transfers[i], AM_ALL, COUNT, payload, 1), ERR_BUSY);
    }
    expect_equal(link_cancel(&transfers[1]), 0);
    expect_equal(transfers[1].result, ERR_CANCELLED);
    expect_equal(link_cancel(&transfers[1]), ERR_EMPTY);
    expect_equal(link_cancel(&transfers[0]), ERR_BUSY);
    sleep_ms(PLAYED_SETTLE_MS);
    for (unsigned i = 0; i < 3; i++) {
        transfers[i].ended = 0;
    }
    expect_equal(ended, 3);
    expect_equal(fake_sent(1)->bytes[11], 0);
    expect_equal(fake_sent(0)->bytes[11], 2);
    expect_equal(played_blocks_free(), played_free_at_first);
}

TEST(a_frame_that_is_made_ahead_can_be_cancelled)
{
    played_renew();
    uint16_t sent = fake.sent;
    fake.air_us = 20000;
    expect_equal(am_begin(&transfers[0], OTHER, COUNT, payload, 2), 0);
    expect_equal(am_begin(&transfers[1], OTHER, COUNT, payload, 2), 0);
    sleep_ms(10);
    expect_equal(link_cancel(&transfers[1]), 0);
    expect_equal(transfers[1].result, ERR_CANCELLED);
    expect_equal(link_cancel(&transfers[0]), ERR_BUSY);
    expect_equal(am_begin(&transfers[1], OTHER, COUNT, payload, 1), 0);
    await_end(&transfers[0]);
    await_end(&transfers[1]);
    expect_equal(transfers[0].result, 0);
    expect_equal(transfers[1].result, 0);
    expect_equal(fake.sent, sent + 2);
    expect_equal(fake_sent(0)->length + 1, fake_sent(1)->length);
    expect_equal(played_blocks_free(), played_free_at_first);
}
