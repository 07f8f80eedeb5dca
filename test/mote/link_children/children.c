/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Neighbours, and acknowledgments by software, over a radio whose behaviour each test plays.
 * parents.c has the tests of sleepy children.
 * test/mote/link_children_software is the same over a radio that can do nothing by itself,
 * test/mote/link_children_filtered over one that filters and acknowledges.
 */
#include <lichen/am.h>

#include <string.h>

#include <lichen/print.h>

#include "../link/fake_radio.h"
#include "../link/played.h"
#include "net/link/format.h"
#include "net/neighbour/neighbour.h"
#include "test.h"

/* Several packets wait for a child, and all frames are short. */
PACKET_POOL_OF(ARCH_FLASH_IS_APART ? 10 : 16, 36);

enum {
    OWN = PLAYED_OWN,
    OTHER = PLAYED_OTHER,
    COUNT = PLAYED_TYPE,
    NEIGHBOURS = 3,
};

LINK_NEIGHBOURS(NEIGHBOURS);

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

/* At this time, in units of 2^20 us, of which there are 65536. */
static void hear(uint16_t address, uint32_t time)
{
    struct link_address source = link_short(address);
    const struct packet_attributes attributes = {0};

    sleep_until_us((uint64_t)time << 20);
    (void)time_now_us();
    neighbour_heard(&source, &attributes);
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
