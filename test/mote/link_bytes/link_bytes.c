/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The link of radios of bytes, over a driver whose behaviour each test plays. */
#include <lichen/am.h>

#include <string.h>

#include <lichen/print.h>
#include <lichen/random.h>
#include <lichen/thread.h>

#include "fake_driver.h"
#include "net/byte_link/byte_link.h"
#include "test.h"

enum {
    OWN = 0x0102,
    OTHER = 0x0203,
    COUNT = 6, /* types of messages */
    LIGHT = 7,
    HEADER = 7,
    LONGEST = 118,
    FRAMES = 5,
    TRIES = 4,
    SETTLE_MS = 30,
};

LINK_FRAMES(FRAMES, LONGEST);
PACKET_POOL(4);
LINK_NEIGHBOURS(3);
AM_RECEIVER(counts, COUNT, 3);
AM_RECEIVER_ALL(messages, 4);
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

/* The driver has one of them. */
static uint8_t frames_free(void)
{
    uint8_t count = 0;

    for (uint8_t i = 0; i < FRAMES; i++) {
        count += !link_frame_is_used[i];
    }
    return count;
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
    expect_equal(frames_free(), FRAMES - 1);
}

static uint16_t losses(unsigned reason)
{
    struct link_loss loss = {.count = UINT16_MAX};

    expect_equal(link_loss(reason - 1, &loss), 0);
    return loss.count;
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

static enum fake_reception hear(uint16_t to, uint16_t from, uint8_t type, uint8_t length)
{
    return fake_receive(frame, compose(to, from, type, length));
}

static void receive(uint16_t to, uint16_t from, uint8_t type, uint8_t length)
{
    expect_equal(hear(to, from, type, length), to == OWN ? FAKE_ACKED : FAKE_NOT_ACKED);
}

static void expect_sent(const uint8_t *bytes, uint8_t length)
{
    expect_equal(fake.length, length);
    for (unsigned i = 0; i < length; i++) {
        expect_equal(fake.bytes[i], bytes[i]);
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
    expect_equal(frames_free(), FRAMES - 1);
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
    expect_equal(byte_link_state.own, OWN);
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
    receive(OWN, OTHER, TYPE_PACKET, 3);
    receive(OWN, OTHER, TYPE_PACKET, 0); /* says that nothing waits */
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
}

TEST(frames_for_others_and_of_other_groups_are_not_taken)
{
    renew();
    receive(OTHER, 5, COUNT, 1);
    receive(LINK_EXTENDED, 5, COUNT, 1);
    uint8_t length = compose(OWN, OTHER, COUNT, 1);
    frame[5]++;
    expect_equal(fake_receive(frame, length), FAKE_NOT_ACKED);
    expect_nothing();
}

/* -------- an acknowledgment says that the frame is in its receiver's queue */

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

TEST(a_source_that_is_no_motes)
{
    struct am_message message;
    const uint16_t sources[] = {LINK_EXTENDED, LINK_ALL};

    renew();
    for (unsigned i = 0; i < 2; i++) {
        receive(AM_ALL, sources[i], COUNT, 1);
        expect_equal(am_receive(&counts, &message, payload, 1, time_now_us() + 10000), 0);
        expect_equal(message.source, LINK_ALL);
        receive(AM_ALL, sources[i], TYPE_PACKET, 1);
    }
    take_all();
    expect_nothing();
}

TEST(whatever_comes_does_no_harm)
{
    renew();
    random_seed(7);
    for (unsigned i = 0; i < 2000; i++) {
        uint8_t length = (uint8_t)(HEADER + random_below(40));
        random_bytes(frame, length);
        frame[4] = (uint8_t)(length - HEADER);
        if (random_below(4) != 0) {
            frame[0] = random_below(2) ? 0xff : OWN >> 8;
            frame[1] = random_below(2) ? 0xff : OWN & 0xff;
            frame[5] = LINK_PAN_USUAL;
            frame[6] |= random_below(2) ? 0xfe : 0;
        }
        (void)fake_receive(frame, length);
        if (random_below(3) == 0) {
            take_all();
        }
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
    expect_equal(i, LOST_BY_LINK - 1u + CC1000_LOSSES);
}

/* -------- the channel, and giving up */

TEST(a_channel_that_is_never_clear)
{
    renew();
    uint16_t sent = fake.sent;
    uint16_t lost = losses(LOST_CHANNEL);
    fake_plan(FAKE_BUSY, 65);
    expect_equal(am_send(AM_ALL, COUNT, payload, 1), ERR_CHANNEL);
    expect_equal(fake.fate_count, 0);
    expect_equal(fake.sent, sent);
    expect_equal(losses(LOST_CHANNEL), lost + 1);
    expect(fake.least_backoff >= 1);
    expect(fake.most_backoff <= 32);
    fake_plan(FAKE_BUSY, 64);
    expect_equal(am_send(AM_ALL, COUNT, payload, 1), 0);
    expect_nothing();
}

TEST(a_radio_that_fails)
{
    renew();
    uint16_t lost = losses(LOST_RADIO);
    fake_plan(FAKE_FAILS, 1);
    expect_equal(am_send(OTHER, COUNT, payload, 1), ERR_IO);
    expect_equal(losses(LOST_RADIO), lost + 1);
    expect_nothing();
}

/* Its bytes are the thread's. */
TEST(a_message_whose_deadline_passes_on_the_air_is_cut_off)
{
    renew();
    expect_equal(am_send_until(OTHER, COUNT, payload, 20, time_now_us() + 1000), ERR_TIMEOUT);
    expect_equal(fake.cut, 1);
    expect_equal(am_send(OTHER, COUNT, payload, 2), 0);
    expect_equal(fake.cut, 1);
    expect_nothing();
}

TEST(a_message_that_is_begun_is_copied_and_can_be_cancelled)
{
    const uint8_t wanted[] = {0x02, 0x03, 0x01, 0x02, 2, 0x22, COUNT, 8, 9};
    static struct link_transfer more[2];

    renew();
    payload[0] = 8;
    payload[1] = 9;
    expect_equal(am_begin(&transfers[0], OTHER, COUNT, payload, 2), 0);
    payload[0] = 0;
    expect_equal(am_begin(&transfers[0], OTHER, COUNT, payload, 2), ERR_BUSY);
    expect_equal(am_begin(&transfers[1], OTHER, COUNT, payload, 2), 0);
    expect_equal(am_begin(&more[0], OTHER, COUNT, payload, 2), 0);
    expect_equal(am_begin(&more[1], OTHER, COUNT, payload, 2), ERR_FULL);
    expect_equal(frames_free(), 1);
    expect_equal(link_cancel(&transfers[0]), ERR_BUSY);
    expect_equal(link_cancel(&transfers[1]), 0);
    expect_equal(transfers[1].result, ERR_CANCELLED);
    expect_equal(link_cancel(&more[0]), 0);
    sleep_ms(SETTLE_MS);
    expect_equal(transfers[0].result, 0);
    expect_equal(transfers[0].sent, 1);
    expect_sent(wanted, sizeof(wanted));
    expect_equal(link_cancel(&transfers[0]), ERR_EMPTY);
    expect_nothing();
}

/* -------- children and parents */

TEST(a_packet_for_a_child_waits_until_it_asks_and_then_there_is_none)
{
    struct link_address child = link_short(OTHER);
    const uint8_t data[] = {0x02, 0x03, 0x01, 0x02, 1, 0x22, COUNT, 40};
    const uint8_t none[] = {0x02, 0x03, 0x01, 0x02, 0, 0x22, TYPE_PACKET};

    renew();
    expect_equal(link_child(&child, true), 0);
    uint16_t sent = fake.sent;
    payload[0] = 40;
    expect_equal(am_begin(&transfers[0], OTHER, COUNT, payload, 1), 0);
    sleep_ms(2000);
    expect_equal(fake.sent, sent);
    receive(OWN, OTHER, TYPE_REQUEST, 0);
    sleep_ms(SETTLE_MS);
    expect_equal(fake.sent, sent + 1);
    expect_sent(data, sizeof(data));
    expect(!transfers[0].active && transfers[0].result == 0);
    receive(OWN, OTHER, TYPE_REQUEST, 0);
    sleep_ms(SETTLE_MS);
    expect_equal(fake.sent, sent + 2);
    expect_sent(none, sizeof(none));
    expect_equal(link_child(&child, false), 0);
    expect_nothing();
}

/* It waits again, in front of the others. */
TEST(a_packet_that_a_child_has_not_acknowledged_waits_again)
{
    struct link_address child = link_short(OTHER);

    renew();
    expect_equal(link_child(&child, true), 0);
    payload[0] = 1;
    expect_equal(am_begin(&transfers[0], OTHER, COUNT, payload, 1), 0);
    payload[0] = 2;
    expect_equal(am_begin(&transfers[1], OTHER, COUNT, payload, 1), 0);
    sleep_ms(SETTLE_MS);
    fake_plan(FAKE_UNACKNOWLEDGED, TRIES);
    receive(OWN, OTHER, TYPE_REQUEST, 0);
    sleep_ms(SETTLE_MS);
    expect(transfers[0].active);
    for (uint8_t i = 1; i <= 2; i++) {
        receive(OWN, OTHER, TYPE_REQUEST, 0);
        sleep_ms(SETTLE_MS);
        expect_equal(fake.bytes[HEADER], i);
    }
    expect(!transfers[0].active && transfers[0].result == 0);
    expect(!transfers[1].active && transfers[1].result == 0);
    expect_equal(link_child(&child, false), 0);
    expect_nothing();
}

static void poll(void)
{
    struct link_address parent = link_short(OTHER);

    settings.flags = LINK_SLEEPS;
    expect_equal(link_open(&settings), 0);
    expect(!cc1000_settings.listens);
    expect_equal(link_poll(&parent, 10000), 0);
    sleep_ms(SETTLE_MS);
    expect(cc1000_settings.listens);
}

static void poll_no_more(void)
{
    struct link_address parent = link_short(OTHER);

    expect_equal(link_poll(&parent, 0), 0);
    expect_nothing();
}

TEST(a_child_asks_until_there_is_nothing)
{
    const uint8_t request[] = {0x02, 0x03, 0x01, 0x02, 0, 0x22, TYPE_REQUEST};

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
    expect(cc1000_settings.listens);
    receive(OWN, OTHER, TYPE_PACKET, 0);
    expect(!cc1000_settings.listens);
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
    expect(cc1000_settings.listens);
    sleep_ms(60);
    expect(!cc1000_settings.listens);
    expect_equal(losses(LOST_NOT_SENT), lost + 1);
    poll_no_more();
}

/* Its acknowledgment may be what was lost. */
TEST(a_parent_that_does_not_acknowledge)
{
    renew();
    uint16_t lost = losses(LOST_NOT_SENT);
    fake_plan(FAKE_UNACKNOWLEDGED, TRIES);
    settings.flags = LINK_SLEEPS;
    expect_equal(link_open(&settings), 0);
    struct link_address parent = link_short(OTHER);
    expect_equal(link_poll(&parent, 10000), 0);
    sleep_ms(SETTLE_MS);
    expect(cc1000_settings.listens);
    receive(OWN, OTHER, TYPE_PACKET, 0);
    expect(!cc1000_settings.listens);
    expect_equal(losses(LOST_NOT_SENT), lost);
    poll_no_more();
}
