/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Access to the channel, acknowledgments and retries. */
#include <lichen/am.h>

#include "fake_radio.h"
#include "net/ieee802154/frame.h"
#include "net/link/link.h"
#include "played.h"
#include "test.h"

enum {
    OWN = PLAYED_OWN,
    OTHER = PLAYED_OTHER,
    COUNT = PLAYED_TYPE, /* types of messages */
    ACK_LATE_US = 2000,  /* the link waits for it for 2.9 ms */
};

TEST(what_nobody_acknowledges_is_sent_four_times)
{
    played_renew();
    uint16_t lost = losses(LOST_NO_ACK);
    for (unsigned i = 0; i < 4; i++) {
        fake_plan(FAKE_UNACKNOWLEDGED);
    }
    expect_equal(am_send(OTHER, COUNT, payload, 2), ERR_NO_ACK);
    expect_equal(fake.fate_count, 0);
    expect_equal(losses(LOST_NO_ACK), lost + 1);
    for (unsigned i = 0; i < 3; i++) {
        fake_plan(FAKE_UNACKNOWLEDGED);
    }
    expect_equal(am_send(OTHER, COUNT, payload, 2), 0);
    expect_equal(fake.fate_count, 0);
    expect_equal(losses(LOST_NO_ACK), lost + 1);
    expect_equal(played_blocks_free(), played_free_at_first);
}

TEST(what_need_not_be_acknowledged_is_sent_once)
{
    played_renew();
    fake_plan(FAKE_UNACKNOWLEDGED);
    transfers[0].flags = LINK_UNACKNOWLEDGED;
    expect_equal(am_begin(&transfers[0], OTHER, COUNT, payload, 2), 0);
    while (transfers[0].active) {
        sleep_ms(1);
    }
    expect_equal(transfers[0].result, 0);
    expect_equal(transfers[0].sent, 1);
    expect_equal(fake_sent(0)->bytes[0], 0x41);
    expect_equal(fake_sent(0)->bytes[5], OTHER);
    transfers[0].flags = 0;
}

TEST(a_channel_that_is_never_clear)
{
    played_renew();
    uint16_t lost = losses(LOST_CHANNEL);
    uint16_t sent = fake.sent;
    unsigned times = radio_facts.capabilities & RADIO_CAN_CSMA ? 1 : 5;
    for (unsigned i = 0; i < times; i++) {
        fake_plan(FAKE_BUSY);
    }
    expect_equal(am_send(AM_ALL, COUNT, payload, 2), ERR_CHANNEL);
    expect_equal(fake.fate_count, 0);
    expect_equal(fake.sent, sent);
    expect_equal(losses(LOST_CHANNEL), lost + 1);
}

TEST(a_radio_that_fails)
{
    played_renew();
    uint16_t lost = losses(LOST_RADIO);
    fake_plan(FAKE_FAILS);
    expect_equal(am_send(AM_ALL, COUNT, payload, 2), ERR_IO);
    expect_equal(losses(LOST_RADIO), lost + 1);
    expect_equal(am_send(AM_ALL, COUNT, payload, 2), 0);
}

TEST(a_mote_that_passes_on_backs_off_by_software)
{
    played_renew();
    settings.flags = LINK_RECEIVES_IN_BACKOFF;
    expect_equal(link_open(&settings), 0);
    for (unsigned i = 0; i < 4; i++) {
        fake_plan(FAKE_BUSY);
    }
    expect_equal(am_send(OTHER, COUNT, payload, 2), 0);
    expect_equal(fake.fate_count, 0);
    expect_equal(fake_sent(0)->transfer_flags & RADIO_CSMA, 0);
    expect_equal(fake_sent(0)->transfer_flags & RADIO_IF_CLEAR, RADIO_IF_CLEAR);
    for (unsigned i = 0; i < 4; i++) {
        fake_plan(FAKE_UNACKNOWLEDGED);
    }
    uint16_t sent = fake.sent;
    expect_equal(am_send(OTHER, COUNT, payload, 2), ERR_NO_ACK);
    expect_equal(fake.sent, sent + 4);
}

/* Busy moments before an earlier try do not count. */
TEST(each_try_looks_at_the_channel_five_times)
{
    played_renew();
    settings.flags = LINK_RECEIVES_IN_BACKOFF;
    expect_equal(link_open(&settings), 0);
    for (unsigned tries = 0; tries < 2; tries++) {
        for (unsigned i = 0; i < 3; i++) {
            fake_plan(FAKE_BUSY);
        }
        fake_plan(FAKE_UNACKNOWLEDGED);
    }
    for (unsigned i = 0; i < 4; i++) {
        fake_plan(FAKE_BUSY);
    }
    expect_equal(am_send(OTHER, COUNT, payload, 2), 0);
    expect_equal(fake.fate_count, 0);
}

static void acknowledge(uint8_t type, uint8_t sequence)
{
    const uint8_t ack[] = {type, 0, sequence};

    expect(fake_receive(ack, sizeof(ack)));
}

/* Where the radio does not wait for acknowledgments. One by software takes a millisecond or two,
 * and neither an acknowledgment of somebody else's frame nor another frame as short is this one's.
 * Ticks of a millisecond are too long for this test. */
TEST(an_acknowledgment_may_be_late_and_must_be_of_the_frame)
{
    if ((radio_facts.capabilities & RADIO_CAN_RETRY) != 0 || ARCH_FLASH_IS_APART) {
        return;
    }
    played_renew();
    uint16_t sent = fake.sent;
    for (unsigned i = 0; i < 5; i++) {
        fake_plan(FAKE_UNACKNOWLEDGED);
    }
    expect_equal(am_begin(&transfers[0], OTHER, COUNT, payload, 2), 0);
    wait_for_sent((uint16_t)(sent + 1));
    sleep_ms(1);
    acknowledge(FRAME_ACK, fake_sent(0)->bytes[2]);
    await_end(&transfers[0]);
    expect_equal(transfers[0].result, 0);
    expect_equal(transfers[0].sent, 1);
    expect_equal(am_begin(&transfers[0], OTHER, COUNT, payload, 2), 0);
    for (unsigned i = 2; i <= 5; i++) {
        wait_for_sent((uint16_t)(sent + i));
        bool is_ack = i % 2;
        acknowledge(is_ack ? FRAME_ACK : FRAME_DATA, (uint8_t)(fake_sent(0)->bytes[2] + is_ack));
    }
    await_end(&transfers[0]);
    expect_equal(transfers[0].result, ERR_NO_ACK);
    expect_equal(transfers[0].sent, 4);
}

/* What is left of the wait for the acknowledgment before does not shorten it. */
TEST(each_acknowledgment_may_be_as_late_as_the_first)
{
    if ((radio_facts.capabilities & RADIO_CAN_RETRY) != 0 || ARCH_FLASH_IS_APART) {
        return;
    }
    played_renew();
    fake.air_us = 1000;
    for (unsigned i = 0; i < 40; i++) { /* an eighth of them is sent without a backoff */
        expect_equal(am_send(OTHER, COUNT, payload, 2), 0);
        uint16_t sent = fake.sent;
        fake_plan(FAKE_UNACKNOWLEDGED);
        expect_equal(am_begin(&transfers[0], OTHER, COUNT, payload, 2), 0);
        for (unsigned left = 100; left > 0 && fake.sent == sent; left--) {
            sleep_us(100);
        }
        sleep_us(ACK_LATE_US);
        acknowledge(FRAME_ACK, fake_sent(0)->bytes[2]);
        await_end(&transfers[0]);
        expect_equal(transfers[0].result, 0);
        expect_equal(transfers[0].sent, 1);
    }
}

TEST(receiving_goes_on_while_the_link_sends)
{
    played_renew();
    fake.air_us = 40000;
    expect_equal(am_begin(&transfers[0], OTHER, COUNT, payload, 2), 0);
    sleep_ms(12);
    receive(OWN, OTHER, COUNT, 33);
    expect(transfers[0].active);
    expect_count(33);
    while (transfers[0].active) {
        sleep_ms(1);
    }
}

/* It is ready long before. */
TEST(a_gap_is_left_behind_a_frame)
{
    enum { LIFS_US = 640, TICKS_US = 62 };

    if (TIME_PARTS_PER_TICK / TIME_PARTS_PER_US > TICKS_US) {
        return;
    }
    played_renew();
    for (unsigned i = 0; i < 2; i++) {
        expect_equal(am_begin(&transfers[i], OTHER, COUNT, payload, sizeof(payload)), 0);
    }
    await_end(&transfers[0]);
    uint64_t ended_us = fake.ended_us;
    await_end(&transfers[1]);
    expect(fake.asked_us >= ended_us + LIFS_US - TICKS_US);
}
