/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What leaves. */
#include <string.h>

#include <lichen/print.h>

#include "fake_driver.h"
#include "played.h"
#include "test.h"

TEST(a_broadcast_is_a_frame_of_tinyos)
{
    const uint8_t wanted[] = {0xff, 0xff, 0x01, 0x02, 2, 0x22, COUNT, 0x12, 0x34};
    const uint8_t count[] = {0x12, 0x34};

    renew();
    uint16_t sent = fake.sent;
    expect_equal(am_send(AM_ALL, COUNT, count, sizeof(count)), 0);
    expect_equal(fake.sent, sent + 1);
    expect_sent(wanted, sizeof(wanted));
    expect_equal(fake.flags, CC1000_BACKS_OFF);
    expect_equal(cc1000_settings.channel, 2);
    expect(cc1000_settings.listens);
    expect_nothing();
}

TEST(one_for_a_single_mote_is_acknowledged_or_sent_again)
{
    const uint8_t wanted[] = {0x02, 0x03, 0x01, 0x02, 0, 0x22, LIGHT};

    renew();
    uint16_t lost = losses(LOST_NO_ACK);
    fake_plan(FAKE_UNACKNOWLEDGED, TRIES);
    expect_equal(am_send(OTHER, LIGHT, 0, 0), ERR_NO_ACK);
    expect_equal(fake.fate_count, 0);
    expect_equal(losses(LOST_NO_ACK), lost + 1);
    expect_equal(am_send(OTHER, LIGHT, 0, 0), 0);
    expect_sent(wanted, sizeof(wanted));
    expect_equal(fake.flags, CC1000_BACKS_OFF | CC1000_AWAITS);
    expect_nothing();
}

TEST(a_packet_that_is_no_message_has_a_type_of_the_link)
{
    const uint8_t wanted[] = {0x02, 0x03, 0x01, 0x02, 3, 0x22, TYPE_PACKET, 0x41, 1, 2};
    const uint8_t empty[] = {0x02, 0x03, 0x01, 0x02, 0, 0x22, TYPE_PACKET};

    renew();
    memcpy(payload, wanted + HEADER, 3);
    expect_equal(send_packet(OTHER, 3), 0);
    expect_sent(wanted, sizeof(wanted));
    expect_equal(send_packet(OTHER, 0), 0);
    expect_sent(empty, sizeof(empty));
    expect_nothing();
}

/* Their type is in front of the payload, where motes with Lichen look for it. */
TEST(messages_of_the_links_types_are_packets)
{
    const uint8_t wanted[] = {0x02, 0x03, 0x01, 0x02, 3, 0x22, TYPE_PACKET, 0x3f, TYPE_REQUEST, 9};
    struct am_message message;

    renew();
    payload[0] = 9;
    expect_equal(am_send(OTHER, TYPE_REQUEST, payload, 1), 0);
    expect_sent(wanted, sizeof(wanted));
    memcpy(frame, wanted, sizeof(wanted));
    frame[0] = OWN >> 8;
    frame[1] = OWN & 0xff;
    expect_equal(fake_receive(frame, sizeof(wanted)), FAKE_ACKED);
    expect_equal(am_receive(&messages, &message, payload, 2, time_now_us() + 10000), 0);
    expect_equal(message.type, TYPE_REQUEST);
    expect_equal(message.length, 1);
    expect_equal(payload[0], 9);
    expect_nothing();
}

TEST(the_longest_message_and_one_byte_more)
{
    renew();
    expect_equal(am_send(AM_ALL, COUNT, payload, LONGEST), 0);
    expect_equal(fake.length, HEADER + LONGEST);
    expect_equal(fake.bytes[4], LONGEST);
    expect_equal(am_send(AM_ALL, COUNT, payload, LONGEST + 1), ERR_INVALID);
    expect_equal(am_send(AM_ALL, TYPE_PACKET, payload, LONGEST - 2), 0);
    expect_equal(am_send(AM_ALL, TYPE_PACKET, payload, LONGEST - 1), ERR_INVALID);
    payload[0] = 0x41;
    expect_equal(send_packet(AM_ALL, LONGEST), 0);
    expect_equal(fake.bytes[4], LONGEST);
    expect_equal(send_packet(AM_ALL, LONGEST + 1), ERR_INVALID);
    expect_nothing();
}
