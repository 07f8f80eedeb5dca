/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The link with TinyOS's frames, over a radio whose behaviour each test plays. */
#include <lichen/am.h>

#include <string.h>

#include <lichen/print.h>
#include <lichen/random.h>

#include "../link/fake_radio.h"
#include "net/link/link.h"
#include "test.h"

enum {
    OWN = 0x0102,
    OTHER = 0x0203,
    COUNT = 6, /* types of messages */
    LIGHT = 7,
    PACKET = 0xfe, /* and those of the link */
    DATA_REQUEST = 0xff,
    HEADER = 7,
    LONGEST = 118,
    SETTLE_MS = 30,
};

PACKET_POOL(ARCH_FLASH_IS_APART ? 4 : 16);
LINK_NEIGHBOURS(3);
AM_RECEIVER(counts, COUNT, 3);
AM_RECEIVER_ALL(messages, 2);
LINK_RECEIVER(others, 2);

static struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = OWN};
static struct link_transfer transfers[2];
static uint8_t payload[LONGEST + 2];

/* -------- helpers */

static uint8_t blocks_free(void)
{
    struct packet_statistics statistics;

    packet_statistics(&statistics);
    return statistics.free;
}

static uint8_t free_at_first;

static void take_all(void)
{
    struct link_info info;
    packet_t packet;

    while (link_try_receive(&counts, &info, &packet) == 0 ||
           link_try_receive(&messages, &info, &packet) == 0 ||
           link_try_receive(&others, &info, &packet) == 0) {
        packet_free(packet);
    }
}

/* Everything that earlier tests have left is taken away. */
static void renew(void)
{
    fake_renew();
    settings.flags = 0;
    expect_equal(link_open(&settings), 0);
    sleep_ms(SETTLE_MS);
    take_all();
    if (free_at_first == 0) {
        free_at_first = blocks_free();
    }
    expect_equal(blocks_free(), free_at_first);
}

static uint16_t losses(unsigned reason)
{
    struct link_loss loss = {.count = UINT16_MAX};

    expect_equal(link_loss(reason - 1, &loss), 0);
    return loss.count;
}

/* That the codec counts, by their name. */
static uint16_t refused(const char *name)
{
    struct link_loss loss;

    for (unsigned i = 0; link_loss(i, &loss) == 0; i++) {
        if (same_text(loss.part, "frame") && same_text(loss.name, name)) {
            return loss.count;
        }
    }
    expect(false);
    return 0;
}

static uint8_t frame[HEADER + LONGEST];

static uint8_t compose(uint16_t to, uint16_t from, uint8_t type, uint8_t length)
{
    const uint8_t header[HEADER] = {
        (uint8_t)(to >> 8), (uint8_t)to, (uint8_t)(from >> 8), (uint8_t)from, length,
        LINK_PAN_USUAL,     type};

    memcpy(frame, header, sizeof(header));
    for (uint8_t i = 0; i < length; i++) {
        frame[HEADER + i] = (uint8_t)(length + i);
    }
    return (uint8_t)(HEADER + length);
}

static void receive(uint16_t to, uint16_t from, uint8_t type, uint8_t length)
{
    expect(fake_receive(frame, compose(to, from, type, length)));
    sleep_ms(2);
}

static void expect_sent(const uint8_t *bytes, uint8_t length)
{
    expect_equal(fake_sent(0)->length, length);
    for (unsigned i = 0; i < length; i++) {
        expect_equal(fake_sent(0)->bytes[i], bytes[i]);
    }
}

/* A count of this length, which counts up from it. */
static void expect_count(uint8_t length)
{
    struct am_message message;

    expect_equal(am_receive(&counts, &message, payload, sizeof(payload), time_now_us() + 10000), 0);
    expect_equal(message.source, OTHER);
    expect_equal(message.type, COUNT);
    expect_equal(message.length, length);
    for (uint8_t i = 0; i < length; i++) {
        expect_equal(payload[i], (uint8_t)(length + i));
    }
}

static void expect_nothing(void)
{
    struct link_info info;
    packet_t packet;

    expect_equal(link_try_receive(&counts, &info, &packet), ERR_EMPTY);
    expect_equal(link_try_receive(&messages, &info, &packet), ERR_EMPTY);
    expect_equal(link_try_receive(&others, &info, &packet), ERR_EMPTY);
    expect_equal(blocks_free(), free_at_first);
}

static int send_packet(uint16_t to, uint8_t length)
{
    struct link_address address = link_short(to);
    packet_t packet;

    expect_equal(packet_alloc(&packet, TEXT("test"), LINK_HEADROOM, length), 0);
    packet_write(packet, 0, payload, length);
    return link_send(&address, packet, TIME_NEVER);
}

/* -------- sending */

TEST(a_broadcast_is_a_frame_of_tinyos)
{
    const uint8_t wanted[] = {0xff, 0xff, 0x01, 0x02, 2, 0x22, COUNT, 0x12, 0x34};
    const uint8_t count[] = {0x12, 0x34};

    renew();
    uint16_t sent = fake.sent;
    expect_equal(am_send(AM_ALL, COUNT, count, sizeof(count)), 0);
    expect_equal(fake.sent, sent + 1);
    expect_sent(wanted, sizeof(wanted));
    expect_equal(fake_sent(0)->transfer_flags, RADIO_CSMA);
    expect_equal(fake.settings.channel, 2);
    expect_equal(fake.settings.flags, RADIO_FILTER | RADIO_ACKNOWLEDGE | RADIO_ACKNOWLEDGE_2015);
    expect_equal(fake.settings.short_address, OWN);
    expect_nothing();
}

TEST(one_for_a_single_mote_is_acknowledged_or_sent_again)
{
    const uint8_t wanted[] = {0x02, 0x03, 0x01, 0x02, 0, 0x22, LIGHT};

    renew();
    uint16_t lost = losses(LOST_NO_ACK);
    for (unsigned i = 0; i < 4; i++) {
        fake_plan(FAKE_UNACKNOWLEDGED);
    }
    expect_equal(am_send(OTHER, LIGHT, 0, 0), ERR_NO_ACK);
    expect_equal(fake.fate_count, 0);
    expect_equal(losses(LOST_NO_ACK), lost + 1);
    expect_equal(am_send(OTHER, LIGHT, 0, 0), 0);
    expect_sent(wanted, sizeof(wanted));
    expect_equal(fake_sent(0)->transfer_flags, RADIO_CSMA | RADIO_RETRY);
    expect_nothing();
}

TEST(a_packet_that_is_no_message_has_a_type_of_the_link)
{
    const uint8_t wanted[] = {0x02, 0x03, 0x01, 0x02, 3, 0x22, PACKET, 0x41, 1, 2};
    const uint8_t empty[] = {0x02, 0x03, 0x01, 0x02, 0, 0x22, PACKET};

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
    const uint8_t wanted[] = {0x02, 0x03, 0x01, 0x02, 3, 0x22, PACKET, 0x3f, DATA_REQUEST, 9};
    struct am_message message;

    renew();
    payload[0] = 9;
    expect_equal(am_send(OTHER, DATA_REQUEST, payload, 1), 0);
    expect_sent(wanted, sizeof(wanted));
    memcpy(frame, wanted, sizeof(wanted));
    frame[0] = OWN >> 8;
    frame[1] = OWN & 0xff;
    expect(fake_receive(frame, sizeof(wanted)));
    expect_equal(am_receive(&messages, &message, payload, 2, time_now_us() + 10000), 0);
    expect_equal(message.type, DATA_REQUEST);
    expect_equal(message.length, 1);
    expect_equal(payload[0], 9);
    expect_nothing();
}

TEST(the_longest_message_and_one_byte_more)
{
    renew();
    expect_equal(am_send(AM_ALL, COUNT, payload, LONGEST), 0);
    expect_equal(fake_sent(0)->length, HEADER + LONGEST);
    expect_equal(fake_sent(0)->bytes[4], LONGEST);
    expect_equal(am_send(AM_ALL, COUNT, payload, LONGEST + 1), ERR_INVALID);
    payload[0] = 0x41;
    uint16_t too_long = refused("too long");
    expect_equal(send_packet(AM_ALL, LONGEST), 0);
    expect_equal(send_packet(AM_ALL, LONGEST + 1), ERR_FULL);
    expect_equal(refused("too long"), too_long + 1);
    expect_nothing();
}

TEST(what_frames_cannot_say_is_refused)
{
    const uint8_t flags[] = {LINK_COORDINATOR, LINK_2015, LINK_SLEEPS | LINK_2015};
    struct link_address extended = {LINK_EXTENDED, {1, 2, 3, 4, 5, 6, 7, 8}};
    packet_t packet;

    renew();
    for (unsigned i = 0; i < sizeof(flags); i++) {
        settings.flags = flags[i];
        expect_equal(link_open(&settings), ERR_INVALID);
    }
    settings.flags = 0;
    settings.level = LINK_LEVEL_ENC_MIC_32;
    expect_equal(link_open(&settings), ERR_INVALID);
    settings.level = LINK_LEVEL_NONE;
    settings.pan = 0x122;
    expect_equal(link_open(&settings), ERR_INVALID);
    settings.pan = LINK_PAN_USUAL;
    settings.short_address = LINK_EXTENDED;
    expect_equal(link_open(&settings), ERR_INVALID);
    settings.short_address = OWN;
    settings.channel = 4;
    expect_equal(link_open(&settings), ERR_INVALID);
    settings.channel = LINK_CHANNEL_USUAL;
    expect_equal(fake.settings.short_address, OWN);
    expect_equal(packet_alloc(&packet, TEXT("test"), LINK_HEADROOM, 1), 0);
    expect_equal(link_send(&extended, packet, TIME_NEVER), ERR_INVALID);
    expect_equal(link_poll(&extended, 1000), ERR_INVALID);
    expect_nothing();
}

/* -------- receiving */

TEST(each_frame_comes_to_the_receiver_of_its_type)
{
    struct am_message message;
    struct link_info info;
    packet_t packet;

    renew();
    receive(AM_ALL, OTHER, COUNT, 2);
    receive(OWN, OTHER, LIGHT, 1);
    receive(OWN, OTHER, PACKET, 3);
    receive(OWN, OTHER, PACKET, 0); /* says that nothing waits */
    expect_count(2);
    expect_equal(am_receive(&messages, &message, payload, 1, TIME_NEVER), 0);
    expect_equal(message.type, LIGHT);
    expect_equal(message.source, OTHER);
    expect_equal(message.dbm, -60);
    expect(!message.to_all);
    expect_equal(payload[0], 1);
    expect_equal(link_receive(&others, &info, &packet, TIME_NEVER), 0);
    expect_equal(info.source.short_address, OTHER);
    expect_equal(packet_length(packet), 3);
    packet_read(packet, 0, payload, 1);
    expect_equal(payload[0], 3);
    packet_free(packet);
    expect_nothing();
}

TEST(messages_of_all_lengths)
{
    renew();
    for (uint8_t length = 0; length <= LONGEST; length++) {
        receive(OWN, OTHER, COUNT, length);
        expect_count(length);
    }
    expect_nothing();
}

/* Frames have no number that would tell. */
TEST(a_frame_that_is_sent_again_comes_again)
{
    renew();
    receive(OWN, OTHER, COUNT, 2);
    receive(OWN, OTHER, COUNT, 2);
    expect_count(2);
    expect_count(2);
    expect_equal(losses(LOST_DUPLICATE), 0);
}

TEST(frames_for_others_and_of_other_groups_are_not_taken)
{
    renew();
    uint16_t lost = losses(LOST_NOT_MINE);
    receive(OTHER, 5, COUNT, 1);
    receive(LINK_EXTENDED, 5, COUNT, 1);
    uint8_t length = compose(AM_ALL, OTHER, COUNT, 1);
    frame[5]++;
    expect(fake_receive(frame, length));
    sleep_ms(2);
    expect_equal(losses(LOST_NOT_MINE), lost + 3);
    expect_nothing();
}

TEST(frames_that_are_too_short_or_say_another_length)
{
    renew();
    uint16_t short_ones = refused("too short");
    for (uint8_t length = 1; length < HEADER; length++) {
        compose(OWN, OTHER, COUNT, 0);
        expect(fake_receive(frame, length));
        sleep_ms(2);
    }
    expect_equal(refused("too short"), short_ones + HEADER - 1);
    uint16_t wrong = refused("wrong length");
    for (uint8_t length = 0; length <= 6; length++) {
        compose(OWN, OTHER, COUNT, 3);
        frame[4] = length == 3 ? 255 : length;
        expect(fake_receive(frame, HEADER + 3));
        sleep_ms(2);
    }
    expect_equal(refused("wrong length"), wrong + 7);
    expect_nothing();
}

TEST(a_source_that_is_no_motes)
{
    struct am_message message;
    const uint16_t sources[] = {LINK_EXTENDED, LINK_ALL};

    renew();
    for (unsigned i = 0; i < 2; i++) {
        receive(AM_ALL, sources[i], COUNT, 1);
        expect_equal(am_receive(&counts, &message, payload, 1, time_now_us() + 10000), 0);
        expect_equal(message.source, LINK_ALL);
        receive(AM_ALL, sources[i], PACKET, 1);
    }
    take_all();
    expect_nothing();
}

TEST(whatever_comes_does_no_harm)
{
    renew();
    random_seed(7);
    for (unsigned i = 0; i < 2000; i++) {
        uint8_t length = (uint8_t)(1 + random_below(40));
        random_bytes(frame, length);
        if (random_below(4) != 0) {
            frame[0] = frame[1] = 0xff;
            frame[4] = (uint8_t)(length - HEADER);
            frame[5] = LINK_PAN_USUAL;
            frame[6] |= random_below(2) ? 0xfe : 0;
        }
        (void)fake_receive(frame, length);
        sleep_ms(1);
        take_all();
    }
    sleep_ms(SETTLE_MS);
    take_all();
    expect_nothing();
}

TEST(each_reason_has_a_name)
{
    struct link_loss loss;
    unsigned i = 0;

    for (; link_loss(i, &loss) == 0; i++) {
        expect(!same_text(loss.name, ""));
    }
    expect_equal(i, LOST_BY_LINK - 1u + 3u + 8u);
}

/* -------- children and parents */

TEST(a_packet_for_a_child_waits_until_it_asks_and_then_there_is_none)
{
    struct link_address child = link_short(OTHER);
    const uint8_t data[] = {0x02, 0x03, 0x01, 0x02, 1, 0x22, COUNT, 40};
    const uint8_t none[] = {0x02, 0x03, 0x01, 0x02, 0, 0x22, PACKET};

    renew();
    expect_equal(link_child(&child, true), 0);
    uint16_t sent = fake.sent;
    payload[0] = 40;
    expect_equal(am_begin(&transfers[0], OTHER, COUNT, payload, 1), 0);
    sleep_ms(2000);
    expect_equal(fake.sent, sent);
    receive(OWN, OTHER, DATA_REQUEST, 0);
    sleep_ms(SETTLE_MS);
    expect_equal(fake.sent, sent + 1);
    expect_sent(data, sizeof(data));
    expect(!transfers[0].active && transfers[0].result == 0);
    receive(OWN, OTHER, DATA_REQUEST, 0);
    sleep_ms(SETTLE_MS);
    expect_equal(fake.sent, sent + 2);
    expect_sent(none, sizeof(none));
    expect_equal(fake.settings.flags & RADIO_PENDING, 0);
    expect_equal(link_child(&child, false), 0);
    expect_nothing();
}

static void poll(void)
{
    struct link_address parent = link_short(OTHER);

    settings.flags = LINK_SLEEPS;
    expect_equal(link_open(&settings), 0);
    expect(!fake.listens);
    expect_equal(link_poll(&parent, 10000), 0);
    sleep_ms(SETTLE_MS);
    expect(fake.listens);
}

static void poll_no_more(void)
{
    struct link_address parent = link_short(OTHER);

    expect_equal(link_poll(&parent, 0), 0);
    expect_nothing();
}

TEST(a_child_asks_until_there_is_nothing)
{
    const uint8_t request[] = {0x02, 0x03, 0x01, 0x02, 0, 0x22, DATA_REQUEST};

    renew();
    uint16_t sent = fake.sent;
    poll();
    expect_equal(fake.sent, sent + 1);
    expect_sent(request, sizeof(request));
    receive(OWN, OTHER, COUNT, 5);
    sleep_ms(SETTLE_MS);
    expect_count(5);
    expect_equal(fake.sent, sent + 2);
    expect_sent(request, sizeof(request));
    expect(fake.listens);
    receive(OWN, OTHER, PACKET, 0);
    expect(!fake.listens);
    sleep_ms(5000);
    expect_equal(fake.sent, sent + 2);
    sleep_ms(6000);
    expect_equal(fake.sent, sent + 3);
    poll_no_more();
}

TEST(a_parent_that_does_not_answer)
{
    renew();
    uint16_t lost = losses(LOST_NOT_SENT);
    poll();
    sleep_ms(200);
    expect(fake.listens);
    sleep_ms(60);
    expect(!fake.listens);
    expect_equal(losses(LOST_NOT_SENT), lost + 1);
    poll_no_more();
}

/* It may have the request. */
TEST(a_parent_that_does_not_acknowledge)
{
    renew();
    uint16_t lost = losses(LOST_NOT_SENT);
    for (unsigned i = 0; i < 4; i++) {
        fake_plan(FAKE_UNACKNOWLEDGED);
    }
    settings.flags = LINK_SLEEPS;
    expect_equal(link_open(&settings), 0);
    struct link_address parent = link_short(OTHER);
    expect_equal(link_poll(&parent, 10000), 0);
    sleep_ms(200);
    expect(fake.listens);
    sleep_ms(100);
    expect(!fake.listens);
    expect_equal(losses(LOST_NOT_SENT), lost);
    poll_no_more();
}
