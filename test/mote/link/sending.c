/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The link over a radio whose behaviour each test plays: the frames that it makes.
 * test/mote/link_software is the same over a radio that can do nothing by itself, and
 * test/mote/link_threads with two threads.
 */
#include <lichen/am.h>

#include <lichen/print.h>

#include "fake_radio.h"
#include "played.h"
#include "test.h"

PACKET_POOL(ARCH_FLASH_IS_APART ? 5 : 16);

enum {
    OWN = PLAYED_OWN,
    OTHER = PLAYED_OTHER,
    COUNT = PLAYED_TYPE, /* types of messages */
    HEADER = PLAYED_HEADER,
};

TEST(a_broadcast_is_a_frame_of_tinyos)
{
    const uint8_t wanted[] = {0x41, 0x88, 0, 0x22, 0, 0xff, 0xff, OWN, 0, 0x3f, COUNT, 0x12, 0x34};
    const uint8_t count[] = {0x12, 0x34};

    played_renew();
    uint16_t sent = fake.sent;
    expect_equal(am_send(AM_ALL, COUNT, count, sizeof(count)), 0);
    expect_equal(fake.sent, sent + 1);
    expect_equal(fake_sent(0)->length, sizeof(wanted));
    for (unsigned i = 0; i < sizeof(wanted); i++) {
        expect(i == 2 || fake_sent(0)->bytes[i] == wanted[i]);
    }
    uint8_t sequence = fake_sent(0)->bytes[2];
    expect_equal(am_send(AM_ALL, COUNT, count, sizeof(count)), 0);
    expect_equal(fake_sent(0)->bytes[2], (uint8_t)(sequence + 1));
    expect_equal(played_blocks_free(), played_free_at_first);
}

TEST(one_for_a_single_mote_asks_for_an_acknowledgment)
{
    played_renew();
    expect_equal(am_send(OTHER, COUNT, payload, 2), 0);
    expect_equal(fake_sent(0)->bytes[0], 0x61);
    expect_equal(fake_sent(0)->bytes[5], OTHER);
}

TEST(a_message_that_is_too_long_leaves_no_packet)
{
    played_renew();
    expect_equal(am_begin(&transfers[0], AM_ALL, COUNT, &fake, 115), ERR_INVALID);
    expect(!transfers[0].active);
    expect_equal(played_blocks_free(), played_free_at_first);
}

TEST(a_message_for_which_there_is_no_memory)
{
    packet_t all, more;

    played_renew();
    expect_equal(packet_alloc(&all, TEXT("test"), 0, 1), 0);
    while (packet_alloc(&more, TEXT("test"), 0, 1) == 0) {
        packet_join(all, more);
    }
    expect_equal(am_send(AM_ALL, COUNT, payload, 2), ERR_FULL);
    expect_equal(am_begin(&transfers[0], AM_ALL, COUNT, payload, 2), ERR_FULL);
    expect(!transfers[0].active);
    packet_free(all);
    expect_equal(played_blocks_free(), played_free_at_first);
}

TEST(the_longest_packet_and_one_byte_more)
{
    struct link_address all = link_short(LINK_ALL);
    packet_t packet;

    played_renew();
    expect_equal(packet_alloc(&packet, TEXT("test"), HEADER, 116), 0);
    expect_equal(link_send(&all, packet, TIME_NEVER), 0);
    expect_equal(fake_sent(0)->length, 125);
    expect_equal(fake_sent(0)->bytes[1], 0x98); /* a frame of 2006 */
    expect_equal(packet_alloc(&packet, TEXT("test"), HEADER, 117), 0);
    expect_equal(link_send(&all, packet, TIME_NEVER), ERR_INVALID);
    expect_equal(played_blocks_free(), played_free_at_first);
}

TEST(a_packet_that_somebody_else_has_is_not_changed)
{
    struct link_address all = link_short(LINK_ALL);
    packet_t packet;

    played_renew();
    expect_equal(packet_alloc(&packet, TEXT("test"), LINK_HEADROOM, 10), 0);
    packet_ref(packet);
    expect_equal(link_send(&all, packet, TIME_NEVER), 0);
    expect_equal(packet_length(packet), 10);
    packet_free(packet);
    expect_equal(played_blocks_free(), played_free_at_first);
}

TEST(an_extended_destination)
{
    struct link_address to = {LINK_EXTENDED, {1, 2, 3, 4, 5, 6, 7, 8}};
    packet_t packet;

    played_renew();
    expect_equal(packet_alloc(&packet, TEXT("test"), LINK_HEADROOM, 10), 0);
    expect_equal(link_send(&to, packet, TIME_NEVER), 0);
    expect_equal(fake_sent(0)->bytes[1], 0x8c);
    for (unsigned i = 0; i < 8; i++) {
        expect_equal(fake_sent(0)->bytes[5 + i], 8 - i);
    }
}

TEST(a_frame_of_2015_if_asked_for)
{
    played_renew();
    settings.flags = LINK_2015;
    expect_equal(link_open(&settings), 0);
    expect_equal(am_send(AM_ALL, COUNT, payload, 1), 0);
    expect_equal(fake_sent(0)->bytes[1], 0xa8);
}

/* One that is longer than a mote of 2003 takes is a frame of 2006. */
TEST(the_longest_packet_in_a_frame_of_2003)
{
    struct link_address all = link_short(LINK_ALL);
    packet_t packet;

    played_renew();
    for (uint8_t i = 0; i < 2; i++) {
        expect_equal(packet_alloc(&packet, TEXT("test"), HEADER, 102 + i), 0);
        expect_equal(link_send(&all, packet, TIME_NEVER), 0);
        expect_equal(fake_sent(0)->bytes[1], i == 0 ? 0x88 : 0x98);
    }
}
