/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The link over a radio whose behaviour each test plays: sending, receiving, losses.
 * test/mote/link_software is the same over a radio that can do nothing by itself.
 */
#include <lichen/am.h>

#include <string.h>

#include <lichen/print.h>
#include <lichen/timer.h>

#include "fake_radio.h"
#include "net/ieee802154/frame.h"
#include "net/link/link.h"
#include "played.h"
#include "test.h"

PACKET_POOL(ARCH_FLASH_IS_APART ? 5 : 16);

enum {
    OWN = PLAYED_OWN,
    OTHER = PLAYED_OTHER,
    THIRD = 0x0003,
    COUNT = PLAYED_TYPE, /* types of messages */
    LIGHT = 7,
    TEXT_OF = 8,
    HEADER = 9,         /* of a frame with short addresses */
    ACK_LATE_US = 2000, /* the link waits for it for 2.9 ms */
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

/* All that were counted, except by the radio, which counts frames that the link counts, too. */
static unsigned all_losses(void)
{
    struct link_loss loss;
    unsigned sum = 0;

    for (unsigned i = 0; link_loss(i, &loss) == 0; i++) {
        sum += loss.count;
    }
    return sum;
}

/* -------- sending */

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

static void acknowledge(uint8_t type, uint8_t sequence)
{
    const uint8_t ack[] = {type, 0, sequence};

    expect(fake_receive(ack, sizeof(ack)));
}

static void await_end(const struct link_transfer *transfer)
{
    for (unsigned i = 0; i < PLAYED_SETTLE_MS && transfer->active; i++) {
        sleep_ms(1);
    }
    expect(!transfer->active);
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

TEST(a_deadline_passes_while_the_frame_is_on_the_air)
{
    played_renew();
    fake.air_us = 20000;
    uint64_t before = time_now_us();
    expect_equal(am_send_until(OTHER, COUNT, payload, 2, before + 6000), ERR_TIMEOUT);
    expect(time_now_us() - before < 15000);
    sleep_ms(60);
    expect_equal(played_blocks_free(), played_free_at_first);
    fake.air_us = 1000;
    expect_equal(am_send(OTHER, COUNT, payload, 2), 0);
}

TEST(a_deadline_passes_before_its_turn)
{
    played_renew();
    fake.air_us = 20000;
    uint16_t sent = fake.sent;
    expect_equal(am_begin(&transfers[0], AM_ALL, COUNT, payload, 2), 0);
    expect_equal(am_send_until(AM_ALL, COUNT, payload, 2, time_now_us() + 5000), ERR_TIMEOUT);
    sleep_ms(80);
    expect_equal(fake.sent, sent + 1);
    expect_equal(played_blocks_free(), played_free_at_first);
}

static volatile uint8_t ended;

EVENT(transfer_ended)
{
    ended++;
}

TEST(transfers_end_in_their_order_with_an_event_each)
{
    played_renew();
    ended = 0;
    for (unsigned i = 0; i < 3; i++) {
        transfers[i].ended = &transfer_ended;
        transfers[i].flags = 0;
        payload[0] = (uint8_t)i;
        expect_equal(am_begin(&transfers[i], AM_ALL, COUNT, payload, 1), 0);
        expect_equal(am_begin(&transfers[i], AM_ALL, COUNT, payload, 1), ERR_BUSY);
    }
    expect_equal(link_cancel(&transfers[1]), 0);
    expect_equal(transfers[1].result, ERR_CANCELLED);
    expect_equal(link_cancel(&transfers[1]), ERR_EMPTY);
    expect_equal(link_cancel(&transfers[0]), ERR_BUSY);
    sleep_ms(PLAYED_SETTLE_MS);
    for (unsigned i = 0; i < 3; i++) {
        transfers[i].ended = 0;
    }
    expect_equal(ended, 3);
    expect_equal(fake_sent(1)->bytes[11], 0);
    expect_equal(fake_sent(0)->bytes[11], 2);
    expect_equal(played_blocks_free(), played_free_at_first);
}

TEST(a_frame_that_is_made_ahead_can_be_cancelled)
{
    played_renew();
    uint16_t sent = fake.sent;
    fake.air_us = 20000;
    expect_equal(am_begin(&transfers[0], OTHER, COUNT, payload, 2), 0);
    expect_equal(am_begin(&transfers[1], OTHER, COUNT, payload, 2), 0);
    sleep_ms(10);
    expect_equal(link_cancel(&transfers[1]), 0);
    expect_equal(transfers[1].result, ERR_CANCELLED);
    expect_equal(link_cancel(&transfers[0]), ERR_BUSY);
    expect_equal(am_begin(&transfers[1], OTHER, COUNT, payload, 1), 0);
    await_end(&transfers[0]);
    await_end(&transfers[1]);
    expect_equal(transfers[0].result, 0);
    expect_equal(transfers[1].result, 0);
    expect_equal(fake.sent, sent + 2);
    expect_equal(fake_sent(0)->length + 1, fake_sent(1)->length);
    expect_equal(played_blocks_free(), played_free_at_first);
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

TEST(a_frame_of_2015_if_asked_for)
{
    played_renew();
    settings.flags = LINK_2015;
    expect_equal(link_open(&settings), 0);
    expect_equal(am_send(AM_ALL, COUNT, payload, 1), 0);
    expect_equal(fake_sent(0)->bytes[1], 0xa8);
}

TEST(the_address_is_made_of_the_serial_number)
{
    struct link_address own, again;

    played_renew();
    expect_equal(link_open(0), 0);
    link_own(&own);
    expect(own.short_address != 0 && own.short_address < LINK_EXTENDED);
    expect_equal(own.extended[0] & 3, 2);
    expect_equal(link_open(0), 0);
    link_own(&again);
    expect(memcmp(&own, &again, sizeof(own)) == 0);
    expect_equal(fake.settings.short_address, own.short_address);
    expect_equal(fake.settings.extended_address[0], own.extended[7]);
    expect_equal(fake.settings.channel, 26);
    expect_equal(fake.settings.pan, LINK_PAN_USUAL);
}

TEST(the_radio_has_the_rate_of_the_settings)
{
    played_renew();
    settings.rate = 3;
    expect_equal(link_open(&settings), 0);
    expect_equal(fake.settings.rate, 3);
    settings.rate = 0;
    expect_equal(link_open(&settings), 0);
    expect_equal(fake.settings.rate, 0);
}

TEST(the_radio_has_the_rest_of_the_settings)
{
    unsigned can = radio_facts.capabilities;

    played_renew();
    settings.dbm = -7;
    settings.flags = LINK_COORDINATOR | LINK_2015;
    settings.short_address = LINK_EXTENDED;
    expect_equal(link_open(&settings), 0);
    settings.dbm = 0;
    expect_equal(fake.settings.dbm, -7);
    expect_equal(fake.settings.short_address, UINT16_MAX); /* it has none */
    expect_equal((fake.settings.flags & RADIO_COORDINATOR) != 0, (can & RADIO_CAN_FILTER) != 0);
    played_renew();
    expect_equal(fake.settings.flags & RADIO_COORDINATOR, 0);
    /* Frames of 2015 are received, whatever is sent. */
    expect_equal((fake.settings.flags & RADIO_ACKNOWLEDGE_2015) != 0,
                 (can & RADIO_CAN_ACKNOWLEDGE) != 0);
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

TEST(a_channel_that_there_is_not)
{
    played_renew();
    settings.channel = 27;
    expect_equal(link_open(&settings), ERR_INVALID);
    settings.channel = 15;
    settings.level = LINK_LEVEL_ENC_MIC_32;
    expect_equal(link_open(&settings), ERR_INVALID);
    settings.level = LINK_LEVEL_NONE;
    settings.flags = 1 << 7; /* there is no such flag */
    expect_equal(link_open(&settings), ERR_INVALID);
    settings.flags = 0;
    expect_equal(am_send(AM_ALL, COUNT, payload, 1), 0);
    expect_equal(fake_sent(0)->bytes[0], 0x41);
    expect_equal(fake.settings.channel, 15);
}

TEST(settings_that_are_refused_change_nothing)
{
    struct link_address own;

    played_renew();
    settings.channel = 27;
    settings.short_address = THIRD;
    expect_equal(link_open(&settings), ERR_INVALID);
    settings.channel = 15;
    link_own(&own);
    expect_equal(own.short_address, OWN);
    expect_equal(am_send(AM_ALL, COUNT, payload, 1), 0);
    expect_equal(fake_sent(0)->bytes[7], OWN);
}

/* -------- receiving */

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

TEST(each_refused_frame_is_counted_by_its_reason)
{
    static const ARCH_FLASH struct {
        uint8_t refusal;
        uint8_t length;
        uint8_t bytes[12];
    } bad[] = {
        {FRAME_TOO_SHORT, 1, {0x41}},
        {FRAME_TOO_SHORT, 8, {0x41, 0x88, 1, 0x22, 0, 1, 0, 2}},
        {FRAME_RESERVED_TYPE, 9, {0x44, 0x88, 1, 0x22, 0, 1, 0, 2, 0}},
        {FRAME_RESERVED_VERSION, 9, {0x41, 0xb8, 1, 0x22, 0, 1, 0, 2, 0}},
        {FRAME_RESERVED_ADDRESS, 9, {0x41, 0x84, 1, 0x22, 0, 1, 0, 2, 0}},
        {FRAME_NO_ADDRESSES, 9, {0x01, 0, 1, 0x22, 0, 1, 0, 2, 0}},
        {FRAME_COMPRESSION, 9, {0x41, 0x80, 1, 0x22, 0, 1, 0, 2, 0}},
        {FRAME_BAD_ACK, 9, {0x02, 0, 1, 0x22, 0, 1, 0, 2, 0}},
        {FRAME_OLD_SECURITY, 9, {0x49, 0x88, 1, 0x22, 0, 1, 0, 2, 0}},
    };

    played_renew();
    unsigned all = all_losses();
    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        unsigned reason = LOST_BY_LINK + bad[i].refusal - 1u;
        uint16_t lost = losses(reason);
        for (unsigned at = 0; at < bad[i].length; at++) {
            frame[at] = bad[i].bytes[at];
        }
        expect(fake_receive(frame, bad[i].length));
        sleep_ms(2);
        expect_equal(losses(reason), lost + 1);
    }
    expect_equal(all_losses(), all + sizeof(bad) / sizeof(bad[0]));
    expect_equal(played_blocks_free(), played_free_at_first);
}

TEST(beacons_and_other_commands_are_counted)
{
    const uint8_t beacon[] = {0x00, 0x80, 1, 0x22, 0, 2, 0, 0xff, 0xcf, 0, 0};
    const uint8_t command[] = {0x43, 0x88, 2, 0x22, 0, OWN, 0, 2, 0, 7};

    played_renew();
    uint16_t lost = losses(LOST_KIND);
    uint16_t others_lost = losses(LOST_NOT_MINE);
    expect(fake_receive(command, sizeof(command)));
    sleep_ms(2);
    expect_equal(losses(LOST_KIND), lost + 1);
    expect(fake_receive(beacon, sizeof(beacon)));
    sleep_ms(2);
    expect_equal(losses(LOST_NOT_MINE), others_lost + 1);
}

TEST(a_full_receiver_loses_and_counts)
{
    played_renew();
    uint16_t lost = losses(LOST_RECEIVER_FULL);
    for (uint8_t i = 0; i < 5; i++) {
        receive(OWN, OTHER, COUNT, i);
    }
    expect_equal(losses(LOST_RECEIVER_FULL), lost + 2);
    for (uint8_t i = 0; i < 3; i++) {
        expect_count(i);
    }
    expect_no_count();
    expect_equal(played_blocks_free(), played_free_at_first);
}

TEST(all_motes_are_no_parent)
{
    struct link_address all = link_short(LINK_ALL);

    played_renew();
    uint16_t sent = fake.sent;
    expect_equal(link_poll(&all, 10), ERR_INVALID);
    sleep_ms(PLAYED_SETTLE_MS);
    expect_equal(fake.sent, sent);
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

TEST(packets_are_counted_when_they_have_been_sent_and_taken)
{
    struct link_counters before, after;

    played_renew();
    link_count(&before);
    expect_equal(am_send(AM_ALL, COUNT, payload, 2), 0);
    fake_plan(FAKE_FAILS);
    expect_equal(am_send(AM_ALL, COUNT, payload, 2), ERR_IO);
    receive(OWN, OTHER, COUNT, 66);
    receive(OTHER, THIRD, COUNT, 67);
    expect_count(66);
    link_count(&after);
    expect_equal(after.sent, before.sent + 1);
    expect_equal(after.received, before.received + 1);
}

/* In the order of struct radio_counters. */
TEST(what_the_radio_has_lost_is_listed)
{
    struct link_loss loss;
    unsigned listed = 0;

    played_renew();
    for (unsigned i = 0; link_loss(i, &loss) == 0; i++) {
        if (same_text(loss.part, "radio")) {
            expect_equal(loss.count, FAKE_COUNTED + listed);
            listed++;
        }
    }
    expect_equal(listed, 8);
}

TEST(each_reason_has_a_name)
{
    struct link_loss loss;
    unsigned i = 0;

    for (; link_loss(i, &loss) == 0; i++) {
        expect(!same_text(loss.name, "unknown reason"));
        expect(!same_text(loss.part, ""));
    }
    expect_equal(i, LOST_BY_LINK - 1u + FRAME_REFUSALS - 1u + LINK_REFUSALS - 1u + 8u);
}
