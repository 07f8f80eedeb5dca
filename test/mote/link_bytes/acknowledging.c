/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An acknowledgment says that the frame is in its receiver's queue. */
#include "fake_driver.h"
#include "played.h"
#include "test.h"

TEST(what_nobody_takes_is_not_acknowledged)
{
    renew();
    uint16_t none = losses(LOST_KIND);
    uint16_t full = losses(LOST_RECEIVER_FULL);
    for (uint8_t i = 0; i < 3; i++) {
        receive(OWN, OTHER, COUNT, i);
    }
    expect_equal(hear(OWN, OTHER, COUNT, 9), FAKE_NOT_ACKED);
    expect_equal(losses(LOST_RECEIVER_FULL), full + 1);
    expect_equal(losses(LOST_KIND), none);
    for (uint8_t i = 0; i < 3; i++) {
        expect_count(i);
    }
    receive(OWN, OTHER, COUNT, 9);
    expect_count(9);
    expect_nothing();
}

TEST(without_a_frame_nothing_is_received_until_one_is_taken)
{
    renew();
    uint16_t missed = losses(LOST_BY_LINK + CC1000_OVERFLOWED);
    for (uint8_t i = 0; i < 3; i++) {
        receive(OWN, OTHER, COUNT, i);
    }
    receive(OWN, OTHER, LIGHT, 0);
    receive(OWN, OTHER, LIGHT, 1);
    expect_equal(frames_free(), 0);
    expect_equal(hear(OWN, OTHER, LIGHT, 2), FAKE_MISSED);
    expect_equal(losses(LOST_BY_LINK + CC1000_OVERFLOWED), missed + 1);
    expect_count(0);
    receive(OWN, OTHER, LIGHT, 3);
    expect_count(1);
    expect_count(2);
    take_all();
    expect_nothing();
}

/* All frames are in queues, again and again: none is lost on the way there and back. */
TEST(a_full_pool_is_served_again)
{
    renew();
    for (uint8_t round = 0; round < 20; round++) {
        uint16_t missed = losses(LOST_BY_LINK + CC1000_OVERFLOWED);
        for (uint8_t i = 0; i < 3; i++) {
            receive(OWN, OTHER, COUNT, (uint8_t)(round + i));
        }
        receive(OWN, OTHER, LIGHT, 1);
        receive(OWN, OTHER, TYPE_PACKET, 2);
        expect_equal(frames_free(), 0);
        expect_equal(hear(OWN, OTHER, COUNT, 9), FAKE_MISSED);
        expect_equal(losses(LOST_BY_LINK + CC1000_OVERFLOWED), missed + 1);
        for (uint8_t i = 0; i < 3; i++) {
            expect_count((uint8_t)(round + i));
        }
        take_all();
        expect_nothing();
    }
}

/* Each receiver has a queue of its own. */
TEST(a_full_receiver_takes_nothing_from_another)
{
    renew();
    for (uint8_t i = 0; i < 3; i++) {
        receive(OWN, OTHER, COUNT, i);
    }
    receive(OWN, OTHER, LIGHT, 1);
    uint16_t full = losses(LOST_RECEIVER_FULL);
    expect_equal(hear(OWN, OTHER, COUNT, 3), FAKE_NOT_ACKED);
    expect_equal(losses(LOST_RECEIVER_FULL), full + 1);
    take_all();
    expect_nothing();
}

/* One that is for all is never acknowledged. */
TEST(nobody_acknowledges_what_is_for_all)
{
    renew();
    receive(AM_ALL, OTHER, COUNT, 1);
    receive(AM_ALL, OTHER, TYPE_PACKET, 0);
    expect_equal(hear(AM_ALL, OTHER, TYPE_REQUEST, 0), FAKE_NOT_ACKED);
    sleep_ms(SETTLE_MS);
    take_all();
    expect_nothing();
}
