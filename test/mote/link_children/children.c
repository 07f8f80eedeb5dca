/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Neighbours, sleepy children and their parents, over a radio whose behaviour each test plays.
 * test/mote/link_children_software is the same over a radio that can do nothing by itself,
 * test/mote/link_children_filtered over one that filters and acknowledges.
 */
#include <lichen/am.h>

#include <string.h>

#include <lichen/print.h>

#include "../link/fake_radio.h"
#include "../link/played.h"
#include "net/link/format.h"
#include "test.h"

/* Several packets wait for a child, and all frames are short. */
PACKET_POOL_OF(ARCH_FLASH_IS_APART ? 10 : 16, 36);

enum {
    OWN = PLAYED_OWN,
    OTHER = PLAYED_OTHER,
    COUNT = PLAYED_TYPE,
    HEADER = 9, /* of a frame with short addresses */
    NEIGHBOURS = 3,
};

LINK_NEIGHBOURS(NEIGHBOURS);

static void wait_for_sent(uint16_t frames)
{
    for (unsigned i = 0; i < PLAYED_SETTLE_MS && fake.sent != frames; i++) {
        sleep_ms(1);
    }
    expect_equal(fake.sent, frames);
}

/* -------- neighbours */

static bool find_neighbour(uint16_t address, struct link_neighbour *neighbour)
{
    for (unsigned i = 0; link_neighbour(i, neighbour) == 0; i++) {
        if (neighbour->address.short_address == address) {
            return true;
        }
    }
    return false;
}

TEST(a_neighbour_has_what_was_heard_and_tried)
{
    struct link_neighbour neighbour;

    played_renew();
    expect(!find_neighbour(0x10, &neighbour));
    fake.dbm = -77;
    fake.lqi = 99;
    receive(OWN, 0x10, COUNT, 1);
    expect(find_neighbour(0x10, &neighbour));
    expect_equal(neighbour.dbm, -77);
    expect_equal(neighbour.lqi, 99);
    expect_equal(neighbour.etx, 0);
    expect_equal(am_send(0x10, COUNT, payload, 1), 0);
    expect(find_neighbour(0x10, &neighbour));
    expect_equal(neighbour.etx, LINK_ETX_ONE);
    fake_plan(FAKE_UNACKNOWLEDGED);
    expect_equal(am_send(0x10, COUNT, payload, 1), 0);
    expect(find_neighbour(0x10, &neighbour));
    expect_equal(neighbour.etx, LINK_ETX_ONE + LINK_ETX_ONE / 8);
    /* One that failed counts as four more. */
    uint16_t etx = neighbour.etx;
    for (unsigned i = 0; i < 4; i++) {
        fake_plan(FAKE_UNACKNOWLEDGED);
    }
    expect_equal(am_send(0x10, COUNT, payload, 1), ERR_NO_ACK);
    expect(find_neighbour(0x10, &neighbour));
    expect_equal(neighbour.etx, etx - etx / 8 + (4 + 4) * LINK_ETX_ONE / 8);
}

TEST(the_table_keeps_those_that_were_heard_last)
{
    struct link_neighbour neighbour;
    struct link_address child = link_short(0x20);
    unsigned count = 0;

    played_renew();
    expect_equal(link_child(&child, true), 0);
    for (uint16_t i = 0; i < 12; i++) {
        receive(OWN, (uint16_t)(0x100 + i), COUNT, 1);
        sleep_ms(1200); /* a unit of the times of neighbours */
    }
    while (link_neighbour(count, &neighbour) == 0) {
        count++;
    }
    expect_equal(count, NEIGHBOURS);
    expect(find_neighbour(0x20, &neighbour));
    expect(!find_neighbour(0x100 + 12 - NEIGHBOURS, &neighbour));
    for (uint16_t i = 12 - NEIGHBOURS + 1; i < 12; i++) {
        expect(find_neighbour((uint16_t)(0x100 + i), &neighbour));
    }
    expect_equal(link_child(&child, false), 0);
}

TEST(who_was_never_heard_makes_place_first)
{
    struct link_neighbour neighbour;

    played_renew();
    for (uint16_t i = 0; i < 2; i++) {
        sleep_ms(1200);
        receive(OWN, (uint16_t)(0x200 + i), COUNT, 1);
    }
    expect_equal(am_send(0x202, COUNT, payload, 1), 0);
    expect(find_neighbour(0x202, &neighbour));
    expect(!neighbour.was_heard);
    sleep_ms(1200);
    receive(OWN, 0x203, COUNT, 1);
    expect(find_neighbour(0x200, &neighbour));
    expect(find_neighbour(0x201, &neighbour));
    expect(!find_neighbour(0x202, &neighbour));
    expect(find_neighbour(0x203, &neighbour));
}

TEST(who_does_not_say_who_it_is_is_no_neighbour)
{
    struct link_neighbour neighbour;

    played_renew();
    uint8_t length = compose(OWN, LINK_EXTENDED, 90, COUNT, 1);
    for (unsigned i = 0; i < 2; i++) {
        expect(fake_receive(frame, length));
        sleep_ms(2);
        expect_count(1); /* nor is the second one a duplicate */
    }
    expect(!find_neighbour(LINK_ALL, &neighbour));
}

/* As if it had come at this time, in units of 2^20 us, of which there are 65536. */
static void hear(uint16_t address, uint32_t time)
{
    const struct link_frame heard = {.source = link_short(address)};
    packet_t packet;

    expect_equal(packet_alloc(&packet, TEXT("test"), 0, 1), 0);
    packet_attributes(packet)->time_us = (uint64_t)time << 20;
    expect(link_heard(&heard, packet));
    packet_free(packet);
}

TEST(who_was_heard_longest_ago_makes_place_when_the_time_wraps)
{
    struct link_neighbour neighbour;

    played_renew();
    hear(0x300, 65530);
    hear(0x301, 65533);
    hear(0x302, 65536 + 3);
    expect_equal(am_send(0x303, COUNT, payload, 1), 0);
    expect(!find_neighbour(0x300, &neighbour));
    expect(find_neighbour(0x301, &neighbour));
    expect(find_neighbour(0x302, &neighbour));
    expect(find_neighbour(0x303, &neighbour));
}

/* -------- children and parents */

static void ask_for_data(uint16_t from)
{
    uint8_t length = compose(OWN, from, next_sequence++, 0, 0);

    frame[0] = 0x63;
    frame[HEADER] = 4;
    expect(fake_receive(frame, (uint8_t)(length - 2)));
    sleep_ms(PLAYED_SETTLE_MS);
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

/* While one empty packet waits for its turn, another child that asks listens in vain. */
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
        expect(fake_receive(frame, (uint8_t)(length - 2)));
        sleep_ms(5);
    }
    sleep_ms(150);
    expect_equal(fake.sent, sent + 1 + !link_acks_tell());
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

/* After played_renew. */
static void open_asleep(void)
{
    settings.flags = LINK_SLEEPS;
    expect_equal(link_open(&settings), 0);
}

TEST(a_child_polls_and_sleeps)
{
    struct link_address parent = link_short(OTHER);

    played_renew();
    open_asleep();
    expect(!fake.listens);
    uint16_t sent = fake.sent;
    expect_equal(link_poll(&parent, 10000), 0);
    sleep_ms(PLAYED_SETTLE_MS);
    expect_equal(fake.sent, sent + 1);
    const uint8_t wanted[] = {0x63, 0x88, 0, 0x22, 0, OTHER, 0, OWN, 0, 4};
    expect_equal(fake_sent(0)->length, sizeof(wanted));
    for (unsigned i = 0; i < sizeof(wanted); i++) {
        expect(i == 2 || fake_sent(0)->bytes[i] == wanted[i]);
    }
    expect(!fake.listens);
    /* Next time there is something, and more behind it. */
    fake_plan(FAKE_ANNOUNCES);
    fake_plan(FAKE_ANNOUNCES);
    sleep_ms(9960);
    wait_for_sent((uint16_t)(sent + 2));
    expect(fake.listens);
    uint8_t length = compose(OWN, OTHER, next_sequence++, COUNT, 50);
    frame[0] = 0x51;
    expect(fake_receive(frame, length));
    wait_for_sent((uint16_t)(sent + 3));
    expect(fake.listens);
    expect_count(50);
    receive(OWN, OTHER, COUNT, 51);
    expect(!fake.listens);
    expect_count(51);
    expect_equal(link_poll(&parent, 0), 0);
    sleep_ms(20000);
    expect_equal(fake.sent, sent + 3);
}

TEST(a_child_listens_if_the_acknowledgment_cannot_tell)
{
    struct link_address parent = link_short(OTHER);

    played_renew();
    open_asleep();
    expect_equal(link_poll(&parent, 10000), 0);
    sleep_ms(10);
    expect_equal(fake.listens, !link_acks_tell());
    expect(fake_receive(frame, compose(OWN, OTHER, next_sequence++, 0, 0) - 3));
    sleep_ms(2);
    expect(!fake.listens);
    expect_equal(link_poll(&parent, 0), 0);
}

TEST(a_mote_that_sleeps_gets_its_acknowledgments)
{
    played_renew();
    open_asleep();
    expect_equal(am_send(OTHER, COUNT, payload, 2), 0);
    expect(!fake.listens);
    for (unsigned i = 0; i < 4; i++) {
        fake_plan(FAKE_UNACKNOWLEDGED);
    }
    expect_equal(am_send(OTHER, COUNT, payload, 2), ERR_NO_ACK);
    expect(!fake.listens);
}

/* A child that is asleep asks its parent, which announces packets to so many requests; returns how
 * many frames were sent before the first. */
static uint16_t ask(const struct link_address *parent, unsigned announced)
{
    played_renew();
    open_asleep();
    while (announced-- != 0) {
        fake_plan(FAKE_ANNOUNCES);
    }
    uint16_t sent = fake.sent;
    expect_equal(link_poll(parent, 10000), 0);
    wait_for_sent((uint16_t)(sent + 1));
    return sent;
}

TEST(a_parent_that_announces_and_does_not_send)
{
    struct link_address parent = link_short(OTHER);

    uint16_t lost = losses(LOST_NOT_SENT);
    ask(&parent, 1);
    sleep_ms(13); /* it listens for 19.5 ms */
    expect(fake.listens);
    sleep_ms(14);
    expect(!fake.listens);
    expect_equal(losses(LOST_NOT_SENT), lost + 1);
    expect_equal(link_poll(&parent, 0), 0);
}

/* Nor does it end the time for which the child listens. */
TEST(what_is_refused_is_no_answer)
{
    struct link_address parent = link_short(OTHER);

    ask(&parent, 1);
    uint16_t lost = losses(LOST_KIND);
    uint8_t length = compose(OWN, OTHER, next_sequence++, 0, 0);
    frame[0] = 0x43;
    frame[HEADER] = 7; /* no request for data */
    expect(fake_receive(frame, (uint8_t)(length - 2)));
    sleep_ms(2);
    expect_equal(losses(LOST_KIND), lost + 1);
    expect(fake.listens);
    receive(OWN, OTHER, COUNT, 52);
    expect(!fake.listens);
    expect_count(52);
    expect_equal(link_poll(&parent, 0), 0);
}

/* The time for which it listens begins anew with each request, so that for the first packet does
 * not end while the child asks for the second one. */
TEST(a_child_listens_for_the_second_packet_as_long_as_for_the_first)
{
    struct link_address parent = link_short(OTHER);

    uint16_t lost = losses(LOST_NOT_SENT);
    uint16_t sent = ask(&parent, 2);
    sleep_ms(10);
    fake.air_us = 15000;
    uint8_t length = compose(OWN, OTHER, next_sequence++, COUNT, 50);
    frame[0] = 0x51; /* there is more */
    expect(fake_receive(frame, length));
    wait_for_sent((uint16_t)(sent + 2));
    sleep_ms(5);
    expect(fake.listens);
    expect_equal(losses(LOST_NOT_SENT), lost);
    receive(OWN, OTHER, COUNT, 51);
    expect(!fake.listens);
    expect_count(50);
    expect_count(51);
    expect_equal(link_poll(&parent, 0), 0);
}

EVENT_EXTERN(link_poll_now);
EVENT_EXTERN(link_poll_vain);

EVENT(asks_as_its_time_ends)
{
    event_post(&link_poll_now);
    event_post(&link_poll_vain);
}

/* The event was posted already when the request took the timer back. */
TEST(a_time_that_ends_as_a_child_asks_again_does_not_make_it_sleep)
{
    struct link_address parent = link_short(OTHER);

    uint16_t lost = losses(LOST_NOT_SENT);
    uint16_t sent = ask(&parent, 2);
    sleep_ms(2);
    event_post(&asks_as_its_time_ends);
    wait_for_sent((uint16_t)(sent + 2));
    sleep_ms(2);
    expect(fake.listens);
    expect_equal(losses(LOST_NOT_SENT), lost);
    receive(OWN, OTHER, COUNT, 53);
    expect(!fake.listens);
    expect_count(53);
    expect_equal(link_poll(&parent, 0), 0);
}

/* The answer comes while the request is still being sent, and says that there is more; then there
 * is no block for the next request. It asks again with its next period. */
TEST(a_child_that_has_no_packet_to_ask_with_sleeps)
{
    struct link_address parent = link_short(OTHER);
    static packet_t held[64];
    unsigned count = 0;

    played_renew();
    open_asleep();
    fake.air_us = 20000;
    fake_plan(FAKE_ANNOUNCES);
    uint16_t sent = fake.sent;
    expect_equal(link_poll(&parent, 10000), 0);
    sleep_ms(10);
    while (count < 64 && packet_alloc(&held[count], TEXT("test"), 0, 1) == 0) {
        count++;
    }
    uint8_t length = compose(OWN, OTHER, next_sequence++, COUNT, 50);
    frame[0] = 0x51;
    expect(fake_receive(frame, length));
    wait_for_sent((uint16_t)(sent + 1));
    sleep_ms(PLAYED_SETTLE_MS);
    expect_equal(fake.sent, sent + 1);
    expect(!fake.listens);
    while (count > 0) {
        packet_free(held[--count]);
    }
    expect_count(50);
    expect_equal(link_poll(&parent, 0), 0);
}

TEST(a_child_that_has_stopped_asks_for_nothing_more)
{
    struct link_address parent = link_short(OTHER);

    played_renew();
    open_asleep();
    fake.air_us = 20000;
    fake_plan(FAKE_ANNOUNCES);
    uint16_t sent = fake.sent;
    expect_equal(link_poll(&parent, 10000), 0);
    sleep_ms(10);
    uint8_t length = compose(OWN, OTHER, next_sequence++, COUNT, 50);
    frame[0] = 0x51; /* there is more */
    expect(fake_receive(frame, length));
    expect_equal(link_poll(&parent, 0), 0);
    sleep_ms(2 * PLAYED_SETTLE_MS);
    expect_equal(fake.sent, sent + 1);
    expect(!fake.listens);
    expect_count(50);
}

/* -------- acknowledgments by software */

TEST(a_received_frame_is_acknowledged_if_the_radio_does_not)
{
    played_renew();
    uint16_t sent = fake.sent;
    uint8_t length = compose(OWN, OTHER, 0x5a, COUNT, 1);
    frame[0] = 0x61;
    expect(fake_receive(frame, length));
    sleep_ms(10);
    if ((radio_facts.capabilities & RADIO_CAN_ACKNOWLEDGE) != 0) {
        expect_equal(fake.sent, sent);
    } else {
        expect_equal(fake.sent, sent + 1);
        expect_equal(fake_sent(0)->length, 3);
        expect_equal(fake_sent(0)->bytes[0], 2);
        expect_equal(fake_sent(0)->bytes[2], 0x5a);
    }
    expect_count(1);
    expect_equal(played_blocks_free(), played_free_at_first);
}

/* The sender sends the second one again. */
TEST(one_acknowledgment_by_software_is_on_its_way_at_a_time)
{
    played_renew();
    fake.air_us = 10000;
    uint16_t sent = fake.sent;
    for (uint8_t i = 0; i < 2; i++) {
        uint8_t length = compose(OWN, OTHER, next_sequence++, COUNT, i);
        frame[0] = 0x61;
        expect(fake_receive(frame, length));
    }
    sleep_ms(PLAYED_SETTLE_MS);
    bool by_software = (radio_facts.capabilities & RADIO_CAN_ACKNOWLEDGE) == 0;
    expect_equal(fake.sent, sent + by_software);
    expect_count(0);
    expect_count(1);
    expect_equal(played_blocks_free(), played_free_at_first);
}

TEST(only_frames_of_old_versions_for_this_mote_alone_are_acknowledged_by_software)
{
    static const struct {
        uint16_t to;
        uint8_t control; /* the upper byte */
    } unanswered[] = {{AM_ALL, 0x88}, {OTHER, 0x88}, {OWN, 0xa8}};

    played_renew();
    uint16_t sent = fake.sent;
    for (unsigned i = 0; i < sizeof(unanswered) / sizeof(unanswered[0]); i++) {
        uint8_t length = compose(unanswered[i].to, OTHER, next_sequence++, COUNT, 1);
        frame[0] = 0x61;
        frame[1] = unanswered[i].control;
        expect(fake_receive(frame, length));
        sleep_ms(10);
        expect_equal(fake.sent, sent);
    }
    expect_count(1);
    expect_count(1);
    expect_no_count();
}
