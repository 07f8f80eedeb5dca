/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Which frames are taken, and who receives them. */
#include <lichen/am.h>

#include "fake_radio.h"
#include "net/link/link.h"
#include "played.h"
#include "test.h"

enum {
    OWN = PLAYED_OWN,
    OTHER = PLAYED_OTHER,
    THIRD = 0x0003,
    COUNT = PLAYED_TYPE, /* types of messages */
    LIGHT = 7,
    TEXT_OF = 8,
    HEADER = PLAYED_HEADER,
};

EVENT_EXTERN(light_came);
AM_RECEIVER_EVENT(lights, LIGHT, 2, light_came);

static uint8_t lights_seen;

EVENT(light_came)
{
    struct am_message message;
    uint8_t byte;

    while (am_try_receive(&lights, &message, &byte, 1) == 0) {
        lights_seen = byte;
    }
}

TEST(a_message_comes_to_the_receiver_of_its_type)
{
    struct am_message message;
    uint8_t bytes[2];

    played_renew();
    receive(AM_ALL, OTHER, COUNT, 5);
    receive(OWN, OTHER, LIGHT, 6);
    receive(OWN, OTHER, TEXT_OF, 7);
    expect_equal(am_receive(&counts, &message, bytes, 2, TIME_NEVER), 0);
    expect_equal(message.source, OTHER);
    expect_equal(message.type, COUNT);
    expect_equal(message.length, 1);
    expect_equal(message.dbm, -60);
    expect_equal(message.lqi, 200);
    expect(message.to_all);
    expect_equal(bytes[0], 5);
    expect_equal(lights_seen, 6);
    expect_equal(am_receive(&messages, &message, bytes, 1, TIME_NEVER), 0);
    expect_equal(message.type, TEXT_OF);
    expect(!message.to_all);
    expect_equal(bytes[0], 7);
    expect_equal(played_blocks_free(), played_free_at_first);
}

TEST(a_message_of_nothing_one_longer_than_its_buffer_and_none)
{
    struct am_message message;
    uint8_t bytes[2] = {0, 0xee};

    played_renew();
    uint8_t length = compose(OWN, OTHER, next_sequence++, COUNT, 5);
    expect(fake_receive(frame, (uint8_t)(length - 1)));
    expect_equal(am_receive(&counts, &message, bytes, 1, time_now_us() + 5000), 0);
    expect_equal(message.length, 0);
    frame[compose(OWN, OTHER, next_sequence++, COUNT, 5)] = 6;
    expect(fake_receive(frame, (uint8_t)(length + 1)));
    sleep_ms(2);
    expect_equal(am_try_receive(&counts, &message, bytes, 1), 0);
    expect_equal(message.length, 2);
    expect_equal(bytes[0], 5);
    expect_equal(bytes[1], 0xee);
    uint64_t deadline = time_now_us() + 5000;
    expect_equal(am_receive(&counts, &message, bytes, 1, deadline), ERR_TIMEOUT);
    expect(time_now_us() >= deadline);
}

TEST(what_is_no_message_comes_to_who_takes_all)
{
    struct link_info info;
    packet_t packet;
    uint8_t first;

    played_renew();
    uint8_t length = compose(OWN, OTHER, next_sequence++, COUNT, 9);
    frame[HEADER] = 0x41;
    expect(fake_receive(frame, length));
    expect_equal(link_receive(&others, &info, &packet, time_now_us() + 10000), 0);
    expect_equal(info.source.short_address, OTHER);
    expect_equal(packet_length(packet), 3);
    packet_read(packet, 0, &first, 1);
    expect_equal(first, 0x41);
    packet_free(packet);
}

TEST(an_extended_source)
{
    const uint8_t bytes[] = {0x41, 0xc8, 1, 0x22, 0, OWN, 0, 8, 7, 6, 5, 4, 3, 2, 1, 0x41};
    struct link_info info;
    packet_t packet;

    played_renew();
    expect(fake_receive(bytes, sizeof(bytes)));
    expect_equal(link_receive(&others, &info, &packet, time_now_us() + 10000), 0);
    expect_equal(info.source.short_address, LINK_EXTENDED);
    for (unsigned i = 0; i < 8; i++) {
        expect_equal(info.source.extended[i], i + 1);
    }
    expect_equal(packet_length(packet), 1);
    packet_free(packet);
}

/* 0xfffe is the short address of a mote that has only an extended one: no mote's. */
TEST(a_short_address_that_is_no_motes)
{
    struct link_info info;
    packet_t packet;

    played_renew();
    uint8_t length = compose(OWN, LINK_EXTENDED, next_sequence++, COUNT, 9);
    frame[HEADER] = 0x41;
    expect(fake_receive(frame, length));
    expect_equal(link_receive(&others, &info, &packet, time_now_us() + 10000), 0);
    expect_equal(info.source.short_address, LINK_ALL);
    expect_equal(packet_length(packet), 3);
    packet_free(packet);
    uint16_t lost = losses(LOST_NOT_MINE);
    receive(LINK_EXTENDED, OTHER, COUNT, 1);
    expect_equal(losses(LOST_NOT_MINE), lost + 1);
    expect_no_count();
    expect_equal(played_blocks_free(), played_free_at_first);
}

TEST(a_frame_for_all_pans_is_taken)
{
    played_renew();
    uint8_t length = compose(AM_ALL, OTHER, next_sequence++, COUNT, 63);
    frame[3] = frame[4] = 0xff;
    expect(fake_receive(frame, length));
    sleep_ms(2);
    expect_count(63);
}

/* Only frames of 2015 may say of no network where they come from or go to. */
TEST(a_frame_without_addresses_is_nobodys)
{
    static const uint8_t neither[] = {0x01, 0x20, 7, 1};
    static const uint8_t without_number[] = {0x01, 0x21, 1};
    static const uint8_t source_alone[] = {0x41, 0xa0, 7, THIRD, 0, 1};
    uint16_t lost = losses(LOST_NOT_MINE);

    played_renew();
    settings.flags = LINK_COORDINATOR;
    settings.pan = UINT16_MAX;
    expect_equal(link_open(&settings), 0);
    settings.pan = LINK_PAN_USUAL;
    expect(fake_receive(neither, sizeof(neither)));
    sleep_ms(2);
    expect(fake_receive(without_number, sizeof(without_number)));
    sleep_ms(2);
    expect(fake_receive(source_alone, sizeof(source_alone)));
    sleep_ms(2);
    expect_equal(losses(LOST_NOT_MINE), lost + 3);
    played_renew();
}

TEST(frames_for_others_are_not_taken)
{
    played_renew();
    uint16_t lost = losses(LOST_NOT_MINE);
    receive(OTHER, THIRD, COUNT, 1);
    expect(fake_receive(frame, compose(OWN, OTHER, next_sequence++, COUNT, 1)));
    frame[3] = 0x23;
    next_sequence++;
    expect(fake_receive(frame, 12));
    sleep_ms(2);
    expect_equal(losses(LOST_NOT_MINE), lost + 2);
    expect_count(1);
    expect_no_count();
}
