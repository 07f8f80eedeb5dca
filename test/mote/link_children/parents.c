/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What waits for sleepy children, over a radio that the tests play (children.c). The
 * children's own part is in test/mote/link_polling.
 */
#include <lichen/am.h>

#include <lichen/print.h>
#include <lichen/timer.h>

#include "../link/fake_radio.h"
#include "../link/played.h"
#include "net/link/format.h"
#include "test.h"

enum {
    OWN = PLAYED_OWN,
    OTHER = PLAYED_OTHER,
    COUNT = PLAYED_TYPE,
    HEADER = PLAYED_HEADER,
    CHILD = 0x30,
};

static void send_request(uint16_t from, uint8_t sequence)
{
    uint8_t length = compose(OWN, from, sequence, 0, 0);

    frame[0] = 0x63;
    frame[HEADER] = 4;
    expect(fake_receive(frame, (uint8_t)(length - 2)));
}

/* And waits for what it brings, which the radio may send four times. */
static void ask_for_data(uint16_t from)
{
    send_request(from, next_sequence++);
    sleep_ms(2 * PLAYED_SETTLE_MS);
}

/* Packets with the values 40 and 41 for CHILD. */
static void have_two_packets(void)
{
    const struct link_address child = link_short(CHILD);

    played_renew();
    expect_equal(link_child(&child, true), 0);
    for (unsigned i = 0; i < 2; i++) {
        payload[0] = (uint8_t)(40 + i);
        expect_equal(am_begin(&transfers[i], CHILD, COUNT, payload, 1), 0);
    }
    sleep_ms(PLAYED_SETTLE_MS);
}

/* The child never acknowledges the next answer. */
static void plan_vain_answer(void)
{
    for (unsigned i = 0; i < 4; i++) {
        fake_plan(FAKE_UNACKNOWLEDGED);
    }
}

static void have_none_left(void)
{
    const struct link_address child = link_short(CHILD);

    expect_equal(link_child(&child, false), 0);
    expect_equal(fake.settings.flags & RADIO_PENDING, 0);
    expect_equal(played_blocks_free(), played_free_at_first);
}

TEST(a_packet_for_a_child_waits_until_it_asks)
{
    struct link_address child = link_short(0x30);

    played_renew();
    expect_equal(link_child(&child, true), 0);
    uint16_t sent = fake.sent;
    for (unsigned i = 0; i < 2; i++) {
        payload[0] = (uint8_t)(40 + i);
        expect_equal(am_begin(&transfers[i], 0x30, COUNT, payload, 1), 0);
    }
    sleep_ms(3000);
    expect_equal(fake.sent, sent);
    bool by_radio = (radio_facts.capabilities & RADIO_CAN_ANNOUNCE) != 0;
    bool by_software = (radio_facts.capabilities & RADIO_CAN_ACKNOWLEDGE) == 0;
    expect_equal((fake.settings.flags & RADIO_PENDING) != 0, by_radio);
    ask_for_data(0x31);
    expect(!by_software || fake_sent(0)->bytes[0] == 0x02);
    sent = fake.sent;
    ask_for_data(0x30);
    expect(!by_software || fake_sent(1)->bytes[0] == 0x12); /* something waits */
    expect(!transfers[0].active && transfers[0].result == 0);
    expect(transfers[1].active);
    expect_equal(fake_sent(0)->bytes[11], 40);
    expect_equal(fake_sent(0)->bytes[0], 0x71); /* there is more */
    ask_for_data(0x30);
    expect(!transfers[1].active && transfers[1].result == 0);
    expect_equal(fake_sent(0)->bytes[0], 0x61);
    /* The radio is set when the child has its packet. */
    expect_equal((fake_sent(0)->flags & RADIO_PENDING) != 0, by_radio);
    expect_equal(fake.settings.flags & RADIO_PENDING, 0);
    expect_equal(link_child(&child, false), 0);
    expect_equal(played_blocks_free(), played_free_at_first);
}

/* A child listens for a short time only, so what waits for its turn goes after the child's packet.
 */
TEST(who_asks_does_not_wait_for_its_turn)
{
    struct link_address child = link_short(0x30);

    played_renew();
    expect_equal(link_child(&child, true), 0);
    fake.air_us = 20000;
    expect_equal(am_begin(&transfers[0], 0x30, COUNT, payload, 1), 0);
    sleep_ms(10);
    for (unsigned i = 1; i < 3; i++) {
        expect_equal(am_begin(&transfers[i], AM_ALL, COUNT, payload, 1), 0);
    }
    ask_for_data(0x30);
    for (unsigned i = 0; i < 100 && transfers[0].active; i++) {
        sleep_ms(1);
    }
    expect(!transfers[0].active && !transfers[1].active);
    expect(transfers[2].active);
    sleep_ms(100);
    expect(!transfers[2].active);
    expect_equal(link_child(&child, false), 0);
    expect_equal(played_blocks_free(), played_free_at_first);
}

/* An empty packet says it, if the acknowledgment could not. */
TEST(nothing_waits_for_who_asks)
{
    const uint8_t wanted[] = {0x41, 0x88, 0, 0x22, 0, 0x30, 0, OWN, 0};

    played_renew();
    uint16_t sent = fake.sent;
    ask_for_data(0x30);
    if (link_acks_tell()) {
        bool by_software = (radio_facts.capabilities & RADIO_CAN_ACKNOWLEDGE) == 0;
        expect_equal(fake.sent, sent + by_software);
    } else {
        expect_equal(fake.sent, sent + 1);
        expect_equal(fake_sent(0)->length, sizeof(wanted));
        for (unsigned i = 0; i < sizeof(wanted); i++) {
            expect(i == 2 || fake_sent(0)->bytes[i] == wanted[i]);
        }
    }
    expect_equal(played_blocks_free(), played_free_at_first);
}

TEST(two_ask_for_what_there_is_not)
{
    played_renew();
    fake.air_us = 50000;
    expect_equal(am_begin(&transfers[0], AM_ALL, COUNT, payload, 1), 0);
    sleep_ms(10);
    uint16_t sent = fake.sent;
    for (uint16_t i = 0; i < 2; i++) {
        uint8_t length = compose(OWN, (uint16_t)(0x30 + i), next_sequence++, 0, 0);
        frame[0] = 0x43;
        frame[HEADER] = 4;
        expect(fake_receive(frame, length - 2));
        sleep_ms(5);
    }
    sleep_ms(200);
    expect_equal(fake.sent, sent + 1 + (link_acks_tell() ? 0 : 2));
    if (!link_acks_tell()) {
        expect_equal(fake_sent(1)->bytes[5], 0x30);
        expect_equal(fake_sent(0)->bytes[5], 0x31);
    }
    expect(!transfers[0].active);
    fake.air_us = 2000;
    expect_equal(am_send(AM_ALL, COUNT, payload, 1), 0);
    expect_equal(played_blocks_free(), played_free_at_first);
}

TEST(what_waits_for_a_child_is_sent_when_it_is_none_any_more)
{
    struct link_address child = link_short(0x33);
    struct link_address all = link_short(LINK_ALL);

    played_renew();
    expect_equal(link_child(&all, true), ERR_INVALID);
    expect_equal(link_child(&child, true), 0);
    uint16_t sent = fake.sent;
    for (unsigned i = 0; i < 2; i++) {
        expect_equal(am_begin(&transfers[i], 0x33, COUNT, payload, 1), 0);
    }
    sleep_ms(PLAYED_SETTLE_MS);
    expect_equal(fake.sent, sent);
    expect_equal(link_child(&child, false), 0);
    wait_for_sent((uint16_t)(sent + 2));
    sleep_ms(PLAYED_SETTLE_MS);
    for (unsigned i = 0; i < 2; i++) {
        expect(!transfers[i].active);
        expect_equal(transfers[i].result, 0);
    }
    expect_equal(fake.settings.flags & RADIO_PENDING, 0);
}

TEST(a_child_that_does_not_ask)
{
    struct link_address child = link_short(0x30);

    played_renew();
    uint16_t lost = losses(LOST_NOT_ASKED_FOR);
    expect_equal(link_child(&child, true), 0);
    uint64_t before = time_now_us();
    expect_equal(am_send(0x30, COUNT, payload, 1), ERR_TIMEOUT);
    expect((time_now_us() - before) / TIME_US_PER_S >= LINK_CHILD_S - 1);
    expect_equal(losses(LOST_NOT_ASKED_FOR), lost + 1);
    expect_equal(fake.settings.flags & RADIO_PENDING, 0);
    expect_equal(am_send_until(0x30, COUNT, payload, 1, time_now_us() + 5000), ERR_TIMEOUT);
    expect_equal(fake.settings.flags & RADIO_PENDING, 0);
    expect_equal(link_child(&child, false), 0);
    expect_equal(played_blocks_free(), played_free_at_first);
}

/* -------- answers that are not acknowledged */

TEST(an_answer_that_is_not_acknowledged_comes_again_first_with_its_number)
{
    have_two_packets();
    uint16_t lost = losses(LOST_NO_ACK);
    plan_vain_answer();
    ask_for_data(CHILD);
    expect(transfers[0].active && transfers[1].active);
    uint8_t number = fake_sent(0)->bytes[2];
    expect_equal(am_send(OTHER, COUNT, payload, 1), 0); /* that takes the next number */
    for (uint8_t i = 0; i < 2; i++) {
        ask_for_data(CHILD);
        expect(!transfers[i].active && transfers[i].result == 0);
        expect_equal(fake_sent(0)->bytes[11], 40 + i);
        expect_equal(fake_sent(0)->bytes[2] == number, i == 0);
        expect_equal(fake_sent(0)->bytes[0], i == 0 ? 0x71 : 0x61); /* there is more */
    }
    expect_equal(losses(LOST_NO_ACK), lost);
    have_none_left();
}

TEST(after_four_answers_in_vain_a_packet_is_lost)
{
    have_two_packets();
    uint16_t lost = losses(LOST_CHILD_NO_ACK);
    for (unsigned i = 0; i < LINK_CHILD_POLLS; i++) {
        expect(transfers[0].active);
        expect_equal(losses(LOST_CHILD_NO_ACK), lost);
        plan_vain_answer();
        ask_for_data(CHILD);
    }
    expect_equal(losses(LOST_CHILD_NO_ACK), lost + 1);
    expect(!transfers[0].active && transfers[0].result == ERR_TIMEOUT);
    ask_for_data(CHILD);
    expect(!transfers[1].active && transfers[1].result == 0);
    have_none_left();
}

TEST(a_packet_waits_30_s_after_an_answer_in_vain_too)
{
    have_two_packets();
    uint16_t lost = losses(LOST_CHILD_NO_ACK);
    uint16_t not_asked_for = losses(LOST_NOT_ASKED_FOR);
    sleep_ms(10000);
    plan_vain_answer();
    ask_for_data(CHILD);
    sleep_ms(18000);
    expect(transfers[0].active);
    sleep_ms(4000);
    expect(!transfers[0].active && transfers[0].result == ERR_TIMEOUT);
    expect(!transfers[1].active && transfers[1].result == ERR_TIMEOUT);
    expect_equal(losses(LOST_CHILD_NO_ACK), lost + 1);
    expect_equal(losses(LOST_NOT_ASKED_FOR), not_asked_for + 1);
    have_none_left();
}

TEST(an_answer_for_which_the_channel_is_never_clear_comes_again)
{
    have_two_packets();
    for (unsigned i = 0; i < 5; i++) {
        fake_plan(FAKE_BUSY);
    }
    ask_for_data(CHILD);
    bool by_radio = (radio_facts.capabilities & RADIO_CAN_CSMA) != 0;
    fake_renew();
    expect(by_radio || transfers[0].active);
    ask_for_data(CHILD);
    expect(!transfers[0].active && transfers[0].result == 0);
    ask_for_data(CHILD);
    expect(!transfers[1].active && transfers[1].result == 0);
    have_none_left();
}

/* Not one of four answers in vain. */
TEST(an_answer_that_was_never_on_the_air_does_not_count)
{
    unsigned looks = (radio_facts.capabilities & RADIO_CAN_CSMA) != 0 ? 1 : 5;

    have_two_packets();
    for (unsigned i = 0; i < LINK_CHILD_POLLS; i++) {
        for (unsigned look = 0; look < looks; look++) {
            fake_plan(FAKE_BUSY);
        }
        ask_for_data(CHILD);
        expect_equal(fake.fate_count, 0);
        expect(transfers[0].active);
    }
    for (unsigned i = 0; i < 2; i++) {
        ask_for_data(CHILD);
        expect(!transfers[i].active && transfers[i].result == 0);
    }
    have_none_left();
}

TEST(a_packet_that_was_put_back_can_be_cancelled)
{
    have_two_packets();
    plan_vain_answer();
    ask_for_data(CHILD);
    expect(transfers[0].active);
    expect_equal(link_cancel(&transfers[0]), 0);
    expect_equal(transfers[0].result, ERR_CANCELLED);
    ask_for_data(CHILD);
    expect_equal(fake_sent(0)->bytes[11], 41);
    expect(!transfers[1].active);
    have_none_left();
}

TEST(a_packet_that_is_cancelled_while_it_is_the_answer_does_not_wait_again)
{
    have_two_packets();
    uint16_t lost = losses(LOST_NO_ACK);
    fake.air_us = 10000;
    plan_vain_answer();
    send_request(CHILD, next_sequence++);
    sleep_ms(5);
    expect_equal(link_cancel(&transfers[0]), ERR_BUSY);
    sleep_ms(4 * PLAYED_SETTLE_MS);
    expect(!transfers[0].active && transfers[0].result == ERR_NO_ACK);
    expect_equal(losses(LOST_NO_ACK), lost + 1);
    expect_equal(link_cancel(&transfers[1]), 0);
    have_none_left();
}

EVENT(asks_now)
{
    send_request(CHILD, next_sequence++);
}
static TIMER(asks, asks_now);

/* It passes while the packet waits, and while it is the answer. */
TEST(the_deadline_of_a_packet_that_is_answered_in_vain)
{
    struct link_address child = link_short(CHILD);

    played_renew();
    expect_equal(link_child(&child, true), 0);
    for (unsigned i = 0; i < 2; i++) {
        plan_vain_answer();
        fake.air_us = i == 0 ? 1000 : 20000;
        expect_equal(timer_arm_after(&asks, 10000), 0);
        uint64_t deadline = time_now_us() + (i == 0 ? 200000 : 30000);
        expect_equal(am_send_until(CHILD, COUNT, payload, 1, deadline), ERR_TIMEOUT);
        sleep_ms(6 * PLAYED_SETTLE_MS);
        fake_renew();
    }
    have_none_left();
}

TEST(who_is_no_child_any_more_gets_what_was_put_back)
{
    struct link_address child = link_short(CHILD);

    have_two_packets();
    plan_vain_answer();
    ask_for_data(CHILD);
    uint8_t number = fake_sent(0)->bytes[2];
    expect_equal(link_child(&child, false), 0);
    sleep_ms(PLAYED_SETTLE_MS);
    expect(!transfers[0].active && transfers[0].result == 0);
    expect(!transfers[1].active && transfers[1].result == 0);
    expect_equal(fake_sent(1)->bytes[2], number);
    expect_equal(fake_sent(1)->bytes[11], 40);
    have_none_left();
}

TEST(who_is_no_child_any_more_while_it_is_answered)
{
    struct link_address child = link_short(CHILD);

    have_two_packets();
    fake.air_us = 10000;
    plan_vain_answer();
    send_request(CHILD, next_sequence++);
    sleep_ms(5);
    expect_equal(link_child(&child, false), 0);
    sleep_ms(6 * PLAYED_SETTLE_MS);
    expect(!transfers[0].active && transfers[0].result == ERR_NO_ACK);
    expect(!transfers[1].active && transfers[1].result == 0);
    have_none_left();
}

/* -------- requests that come while an answer is sent */

/* Numbers of requests that were repeated come again; the answer is sent once. */
TEST(a_request_that_is_repeated_while_it_is_answered_is_one)
{
    have_two_packets();
    fake.air_us = 30000;
    uint16_t sent = fake.sent;
    for (unsigned i = 0; i < 3; i++) {
        send_request(CHILD, next_sequence);
        sleep_ms(3);
    }
    next_sequence++;
    sleep_ms(4 * PLAYED_SETTLE_MS);
    bool by_software = (radio_facts.capabilities & RADIO_CAN_ACKNOWLEDGE) == 0;
    if (!by_software) {
        expect_equal(fake.sent, sent + 1);
    }
    expect(!transfers[0].active && transfers[1].active);
    fake.air_us = 2000;
    ask_for_data(CHILD);
    expect(!transfers[1].active);
    have_none_left();
}

/* The acknowledgment of the first one was lost, and so was the answer. */
TEST(a_request_that_is_repeated_after_an_answer_in_vain_is_answered)
{
    have_two_packets();
    plan_vain_answer();
    send_request(CHILD, next_sequence);
    sleep_ms(2 * PLAYED_SETTLE_MS);
    expect(transfers[0].active);
    send_request(CHILD, next_sequence++);
    sleep_ms(2 * PLAYED_SETTLE_MS);
    expect(!transfers[0].active && transfers[0].result == 0);
    ask_for_data(CHILD);
    have_none_left();
}

/* The child has the answer before the link here knows that. */
TEST(a_child_that_asks_again_while_it_is_answered_gets_the_next_packet)
{
    have_two_packets();
    fake.air_us = 10000;
    for (unsigned i = 0; i < 2; i++) {
        send_request(CHILD, next_sequence++);
        sleep_ms(5);
    }
    sleep_ms(4 * PLAYED_SETTLE_MS);
    expect(!transfers[0].active && transfers[0].result == 0);
    expect(!transfers[1].active && transfers[1].result == 0);
    have_none_left();
}

TEST(a_request_that_waits_for_an_answer_that_is_cancelled)
{
    have_two_packets();
    fake.air_us = 60000;
    expect_equal(am_begin(&transfers[2], AM_ALL, COUNT, payload, 1), 0);
    sleep_ms(5);
    for (unsigned i = 0; i < 2; i++) {
        send_request(CHILD, next_sequence++);
        sleep_ms(5);
    }
    expect_equal(link_cancel(&transfers[0]), 0);
    fake.air_us = 2000;
    sleep_ms(8 * PLAYED_SETTLE_MS);
    expect(!transfers[2].active);
    expect(!transfers[1].active && transfers[1].result == 0);
    have_none_left();
}

TEST(two_children_that_ask_at_the_same_time_are_answered_in_their_order)
{
    struct link_address other = link_short(CHILD + 1);

    have_two_packets();
    expect_equal(link_child(&other, true), 0);
    payload[0] = 50;
    expect_equal(am_begin(&transfers[2], CHILD + 1, COUNT, payload, 1), 0);
    sleep_ms(PLAYED_SETTLE_MS);
    fake.air_us = 10000;
    send_request(CHILD + 1, next_sequence++);
    sleep_ms(2);
    send_request(CHILD, next_sequence++);
    sleep_ms(4 * PLAYED_SETTLE_MS);
    expect(!transfers[2].active && !transfers[0].active && transfers[1].active);
    expect_equal(fake_sent(0)->bytes[11], 40);
    expect_equal(link_child(&other, false), 0);
    fake.air_us = 1000;
    ask_for_data(CHILD);
    have_none_left();
}

/* The radio cannot tell for whom, so its acknowledgment has said that something waits. */
TEST(nothing_waits_for_who_was_told_that_something_does)
{
    have_two_packets();
    bool is_told = (radio_facts.capabilities & RADIO_CAN_ANNOUNCE) != 0 || !link_acks_tell();
    bool by_software = (radio_facts.capabilities & RADIO_CAN_ACKNOWLEDGE) == 0;
    uint16_t sent = fake.sent;
    ask_for_data(CHILD + 1);
    expect_equal(fake.sent, sent + is_told + by_software);
    if (is_told) {
        expect_equal(fake_sent(0)->length, HEADER);
        expect_equal(fake_sent(0)->bytes[5], CHILD + 1);
    }
    ask_for_data(CHILD);
    ask_for_data(CHILD);
    have_none_left();
}

/* More than there is room for: those that found none ask again. */
TEST(many_ask_for_what_there_is_not)
{
    have_two_packets();
    fake.air_us = 40000;
    expect_equal(am_begin(&transfers[2], AM_ALL, COUNT, payload, 1), 0);
    sleep_ms(10);
    for (uint16_t i = 0; i < 8; i++) {
        send_request((uint16_t)(CHILD + 1 + i), next_sequence++);
        sleep_ms(2);
    }
    fake.air_us = 1000;
    sleep_ms(6 * PLAYED_SETTLE_MS);
    expect(!transfers[2].active);
    ask_for_data(CHILD);
    ask_for_data(CHILD);
    expect(!transfers[0].active && !transfers[1].active);
    have_none_left();
}
