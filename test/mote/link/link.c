/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The link over a radio whose behaviour each test plays. test/mote/link_software is the same over a
 * radio that can do nothing by itself.
 */
#include <lichen/am.h>

#include <string.h>

#include <lichen/print.h>
#include <lichen/timer.h>

#include "fake_radio.h"
#include "test.h"

enum {
    OWN = 0x0001,
    OTHER = 0x0002,
    THIRD = 0x0003,
    COUNT = 6, /* types of messages */
    LIGHT = 7,
    TEXT_OF = 8,
    HEADER = 9, /* of a frame with short addresses */
    SETTLE_MS = 30,
};

AM_RECEIVER(counts, COUNT, 3);
EVENT_EXTERN(light_came);
AM_RECEIVER_EVENT(lights, LIGHT, 2, light_came);
AM_RECEIVER_ALL(messages, 2);
LINK_RECEIVER(others, 2);

static uint8_t payload[PACKET_FRAME_BYTES];
static uint8_t lights_seen;

EVENT(light_came)
{
    struct am_message message;
    uint8_t byte;

    while (am_try_receive(&lights, &message, &byte, 1) == 0) {
        lights_seen = byte;
    }
}

/* -------- helpers */

static struct link_settings settings = {.channel = 15, .pan = LINK_PAN_USUAL, .short_address = OWN};

static uint8_t blocks_free(void)
{
    struct packet_statistics statistics;

    packet_statistics(&statistics);
    return statistics.free;
}

static uint8_t free_at_first;

/* Everything that earlier tests have left is taken away. */
static void renew(void)
{
    struct link_info info;
    packet_t packet;

    fake_renew();
    settings.flags = 0;
    settings.short_address = OWN;
    expect_equal(link_open(&settings), 0);
    sleep_ms(SETTLE_MS);
    while (link_try_receive(&counts, &info, &packet) == 0 ||
           link_try_receive(&messages, &info, &packet) == 0 ||
           link_try_receive(&others, &info, &packet) == 0) {
        packet_free(packet);
    }
    if (free_at_first == 0) {
        free_at_first = blocks_free();
    }
    expect_equal(blocks_free(), free_at_first);
}

static uint16_t losses(const char *part, const char *name)
{
    struct link_loss loss;

    for (unsigned i = 0; link_loss(i, &loss) == 0; i++) {
        if (same_text(loss.part, part) && same_text(loss.name, name)) {
            return loss.count;
        }
    }
    expect(false);
    return 0;
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

/* A data frame of 2003 from a short address, with a message of a type. */
static uint8_t frame[PACKET_FRAME_BYTES];
static uint8_t compose(uint16_t to, uint16_t from, uint8_t sequence, uint8_t type, uint8_t value)
{
    const uint8_t bytes[] = {0x41,
                             0x88,
                             sequence,
                             LINK_PAN_USUAL,
                             0,
                             (uint8_t)to,
                             (uint8_t)(to >> 8),
                             (uint8_t)from,
                             (uint8_t)(from >> 8),
                             0x3f,
                             type,
                             value};

    memcpy(frame, bytes, sizeof(bytes));
    return sizeof(bytes);
}

static uint8_t next_sequence = 100;

static void receive(uint16_t to, uint16_t from, uint8_t type, uint8_t value)
{
    expect(fake_receive(frame, compose(to, from, next_sequence++, type, value)));
    sleep_ms(2);
}

static void expect_count(uint8_t value)
{
    struct am_message message;
    uint8_t byte;

    expect_equal(am_receive(&counts, &message, &byte, 1, 0), 0);
    expect_equal(byte, value);
}

static void expect_no_count(void)
{
    struct am_message message;
    uint8_t byte;

    expect_equal(am_try_receive(&counts, &message, &byte, 1), ERR_EMPTY);
}

/* -------- sending */

TEST(a_broadcast_is_a_frame_of_tinyos)
{
    const uint8_t wanted[] = {0x41, 0x88, 0, 0x22, 0, 0xff, 0xff, OWN, 0, 0x3f, COUNT, 0x12, 0x34};
    const uint8_t count[] = {0x12, 0x34};

    renew();
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
    expect_equal(blocks_free(), free_at_first);
}

TEST(one_for_a_single_mote_asks_for_an_acknowledgment)
{
    renew();
    expect_equal(am_send(OTHER, COUNT, payload, 2), 0);
    expect_equal(fake_sent(0)->bytes[0], 0x61);
    expect_equal(fake_sent(0)->bytes[5], OTHER);
}

TEST(what_nobody_acknowledges_is_sent_four_times)
{
    renew();
    uint16_t lost = losses("link", "not acknowledged");
    for (unsigned i = 0; i < 4; i++) {
        fake_plan(FAKE_UNACKNOWLEDGED);
    }
    expect_equal(am_send(OTHER, COUNT, payload, 2), ERR_NO_ACK);
    expect_equal(fake.fate_count, 0);
    expect_equal(losses("link", "not acknowledged"), lost + 1);
    for (unsigned i = 0; i < 3; i++) {
        fake_plan(FAKE_UNACKNOWLEDGED);
    }
    expect_equal(am_send(OTHER, COUNT, payload, 2), 0);
    expect_equal(fake.fate_count, 0);
    expect_equal(losses("link", "not acknowledged"), lost + 1);
    expect_equal(blocks_free(), free_at_first);
}

static struct link_transfer transfer;

TEST(what_need_not_be_acknowledged_is_sent_once)
{
    renew();
    fake_plan(FAKE_UNACKNOWLEDGED);
    transfer.ways = LINK_UNACKNOWLEDGED;
    expect_equal(am_begin(&transfer, OTHER, COUNT, payload, 2), 0);
    while (transfer.active) {
        sleep_ms(1);
    }
    expect_equal(transfer.result, 0);
    expect_equal(transfer.sent, 1);
    expect_equal(fake_sent(0)->bytes[0], 0x41);
    transfer.ways = 0;
}

TEST(a_channel_that_is_never_clear)
{
    renew();
    uint16_t lost = losses("link", "channel never clear");
    uint16_t sent = fake.sent;
    unsigned times = radio_facts.capabilities & RADIO_CAN_CSMA ? 1 : 5;
    for (unsigned i = 0; i < times; i++) {
        fake_plan(FAKE_BUSY);
    }
    expect_equal(am_send(AM_ALL, COUNT, payload, 2), ERR_CHANNEL);
    expect_equal(fake.fate_count, 0);
    expect_equal(fake.sent, sent);
    expect_equal(losses("link", "channel never clear"), lost + 1);
}

TEST(a_radio_that_fails)
{
    renew();
    uint16_t lost = losses("link", "radio failed");
    fake_plan(FAKE_FAILS);
    expect_equal(am_send(AM_ALL, COUNT, payload, 2), ERR_IO);
    expect_equal(losses("link", "radio failed"), lost + 1);
    expect_equal(am_send(AM_ALL, COUNT, payload, 2), 0);
}

TEST(a_mote_that_passes_on_backs_off_by_software)
{
    renew();
    settings.flags = LINK_RECEIVES_IN_BACKOFF;
    expect_equal(link_open(&settings), 0);
    for (unsigned i = 0; i < 4; i++) {
        fake_plan(FAKE_BUSY);
    }
    expect_equal(am_send(OTHER, COUNT, payload, 2), 0);
    expect_equal(fake.fate_count, 0);
    expect_equal(fake_sent(0)->ways & RADIO_CSMA, 0);
    expect_equal(fake_sent(0)->ways & RADIO_IF_CLEAR, RADIO_IF_CLEAR);
    for (unsigned i = 0; i < 4; i++) {
        fake_plan(FAKE_UNACKNOWLEDGED);
    }
    uint16_t sent = fake.sent;
    expect_equal(am_send(OTHER, COUNT, payload, 2), ERR_NO_ACK);
    expect_equal(fake.sent, sent + 4);
}

TEST(the_longest_packet_and_one_byte_more)
{
    struct link_address all = link_short(LINK_ALL);
    packet_t packet;

    renew();
    expect_equal(packet_alloc(&packet, TEXT("test"), LINK_HEADROOM, 116), 0);
    expect_equal(link_send(&all, packet, TIME_NEVER), 0);
    expect_equal(fake_sent(0)->length, 125);
    expect_equal(fake_sent(0)->bytes[1], 0x98); /* a frame of 2006 */
    expect_equal(packet_alloc(&packet, TEXT("test"), LINK_HEADROOM, 117), 0);
    expect_equal(link_send(&all, packet, TIME_NEVER), ERR_INVALID);
    expect_equal(blocks_free(), free_at_first);
}

TEST(a_packet_that_somebody_else_has_is_not_changed)
{
    struct link_address all = link_short(LINK_ALL);
    packet_t packet;

    renew();
    expect_equal(packet_alloc(&packet, TEXT("test"), LINK_HEADROOM, 10), 0);
    packet_ref(packet);
    expect_equal(link_send(&all, packet, TIME_NEVER), 0);
    expect_equal(packet_length(packet), 10);
    packet_free(packet);
    expect_equal(blocks_free(), free_at_first);
}

TEST(an_extended_destination)
{
    struct link_address to = {LINK_EXTENDED, {1, 2, 3, 4, 5, 6, 7, 8}};
    packet_t packet;

    renew();
    expect_equal(packet_alloc(&packet, TEXT("test"), LINK_HEADROOM, 10), 0);
    expect_equal(link_send(&to, packet, TIME_NEVER), 0);
    expect_equal(fake_sent(0)->bytes[1], 0x8c);
    for (unsigned i = 0; i < 8; i++) {
        expect_equal(fake_sent(0)->bytes[5 + i], 8 - i);
    }
}

TEST(a_deadline_passes_while_the_frame_is_on_the_air)
{
    renew();
    fake.air_us = 20000;
    uint64_t before = time_now_us();
    expect_equal(am_send_until(OTHER, COUNT, payload, 2, before + 6000), ERR_TIMEOUT);
    expect(time_now_us() - before < 15000);
    sleep_ms(60);
    expect_equal(blocks_free(), free_at_first);
    fake.air_us = 1000;
    expect_equal(am_send(OTHER, COUNT, payload, 2), 0);
}

TEST(a_deadline_passes_before_its_turn)
{
    renew();
    fake.air_us = 20000;
    uint16_t sent = fake.sent;
    expect_equal(am_begin(&transfer, AM_ALL, COUNT, payload, 2), 0);
    expect_equal(am_send_until(AM_ALL, COUNT, payload, 2, time_now_us() + 5000), ERR_TIMEOUT);
    sleep_ms(80);
    expect_equal(fake.sent, sent + 1);
    expect_equal(blocks_free(), free_at_first);
}

THREAD_STOPPED(sender, 512, PRIORITY_APP)
{
    (void)!am_send(OTHER, COUNT, payload, 2);
}

TEST(a_thread_ends_while_it_sends)
{
    renew();
    fake.air_us = 20000;
    for (unsigned i = 0; i < 2; i++) {
        (void)thread_start(&sender, 0);
        sleep_ms(5 + 10 * i);
        thread_destroy(&sender);
    }
    sleep_ms(100);
    expect_equal(blocks_free(), free_at_first);
    expect_equal(am_send(OTHER, COUNT, payload, 2), 0);
}

static volatile uint8_t ended;

EVENT(transfer_ended)
{
    ended++;
}

TEST(transfers_end_in_their_order_with_an_event_each)
{
    static struct link_transfer three[3];

    renew();
    ended = 0;
    for (unsigned i = 0; i < 3; i++) {
        three[i].ended = &transfer_ended;
        payload[0] = (uint8_t)i;
        expect_equal(am_begin(&three[i], AM_ALL, COUNT, payload, 1), 0);
        expect_equal(am_begin(&three[i], AM_ALL, COUNT, payload, 1), ERR_BUSY);
    }
    expect_equal(link_cancel(&three[1]), 0);
    expect_equal(three[1].result, ERR_CANCELLED);
    expect_equal(link_cancel(&three[1]), ERR_EMPTY);
    expect_equal(link_cancel(&three[0]), ERR_BUSY);
    sleep_ms(SETTLE_MS);
    expect_equal(ended, 3);
    expect_equal(fake_sent(1)->bytes[11], 0);
    expect_equal(fake_sent(0)->bytes[11], 2);
    expect_equal(blocks_free(), free_at_first);
}

TEST(a_frame_of_2015_if_asked_for)
{
    renew();
    settings.flags = LINK_2015;
    expect_equal(link_open(&settings), 0);
    expect_equal(am_send(AM_ALL, COUNT, payload, 1), 0);
    expect_equal(fake_sent(0)->bytes[1], 0xa8);
}

TEST(the_address_is_made_of_the_serial_number)
{
    struct link_address own, again;

    renew();
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

TEST(a_channel_that_there_is_not)
{
    renew();
    settings.channel = 27;
    expect_equal(link_open(&settings), ERR_INVALID);
    settings.channel = 15;
    settings.level = LINK_LEVEL_ENC_MIC_32;
    expect_equal(link_open(&settings), ERR_INVALID);
    settings.level = LINK_LEVEL_NONE;
}

/* -------- receiving */

TEST(a_message_comes_to_the_receiver_of_its_type)
{
    struct am_message message;
    uint8_t bytes[2];

    renew();
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
    expect_equal(blocks_free(), free_at_first);
}

TEST(what_is_no_message_comes_to_who_takes_all)
{
    struct link_info info;
    packet_t packet;
    uint8_t first;

    renew();
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

    renew();
    expect(fake_receive(bytes, sizeof(bytes)));
    expect_equal(link_receive(&others, &info, &packet, time_now_us() + 10000), 0);
    expect_equal(info.source.short_address, LINK_EXTENDED);
    for (unsigned i = 0; i < 8; i++) {
        expect_equal(info.source.extended[i], i + 1);
    }
    expect_equal(packet_length(packet), 1);
    packet_free(packet);
}

TEST(frames_for_others_are_not_taken)
{
    renew();
    uint16_t lost = losses("link", "for others");
    receive(OTHER, THIRD, COUNT, 1);
    expect(fake_receive(frame, compose(OWN, OTHER, next_sequence++, COUNT, 1)));
    frame[3] = 0x23;
    next_sequence++;
    expect(fake_receive(frame, 12));
    sleep_ms(2);
    expect_equal(losses("link", "for others"), lost + 2);
    expect_count(1);
    expect_no_count();
}

TEST(a_duplicate_is_dropped_and_a_later_equal_number_is_not)
{
    renew();
    uint16_t lost = losses("link", "duplicate");
    uint8_t length = compose(OWN, OTHER, 200, COUNT, 1);
    expect(fake_receive(frame, length));
    sleep_ms(2);
    expect(fake_receive(frame, length));
    sleep_ms(2);
    expect_equal(losses("link", "duplicate"), lost + 1);
    expect_count(1);
    expect_no_count();
    expect(fake_receive(frame, compose(OWN, THIRD, 200, COUNT, 2)));
    sleep_ms(2);
    expect_count(2);
    sleep_ms(12000);
    expect(fake_receive(frame, compose(OWN, OTHER, 200, COUNT, 3)));
    sleep_ms(2);
    expect_count(3);
}

TEST(each_refused_frame_is_counted_by_its_reason)
{
    static const struct {
        const char *name;
        uint8_t length;
        uint8_t bytes[12];
    } bad[] = {
        {"too short", 1, {0x41}},
        {"too short", 8, {0x41, 0x88, 1, 0x22, 0, 1, 0, 2}},
        {"reserved type", 9, {0x44, 0x88, 1, 0x22, 0, 1, 0, 2, 0}},
        {"reserved version", 9, {0x41, 0xb8, 1, 0x22, 0, 1, 0, 2, 0}},
        {"reserved addressing mode", 9, {0x41, 0x84, 1, 0x22, 0, 1, 0, 2, 0}},
        {"no addresses", 9, {0x01, 0, 1, 0x22, 0, 1, 0, 2, 0}},
        {"wrong PAN ID compression", 9, {0x41, 0x80, 1, 0x22, 0, 1, 0, 2, 0}},
        {"wrong acknowledgment", 9, {0x02, 0, 1, 0x22, 0, 1, 0, 2, 0}},
        {"security of 2003", 9, {0x49, 0x88, 1, 0x22, 0, 1, 0, 2, 0}},
    };

    renew();
    unsigned all = all_losses();
    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        uint16_t lost = losses("frame", bad[i].name);
        expect(fake_receive(bad[i].bytes, bad[i].length));
        sleep_ms(2);
        expect_equal(losses("frame", bad[i].name), lost + 1);
    }
    expect_equal(all_losses(), all + sizeof(bad) / sizeof(bad[0]));
    expect_equal(blocks_free(), free_at_first);
}

TEST(beacons_and_other_commands_are_counted)
{
    const uint8_t beacon[] = {0x00, 0x80, 1, 0x22, 0, 2, 0, 0xff, 0xcf, 0, 0};
    const uint8_t command[] = {0x43, 0x88, 2, 0x22, 0, OWN, 0, 2, 0, 7};

    renew();
    uint16_t lost = losses("link", "neither data nor request");
    uint16_t others_lost = losses("link", "for others");
    expect(fake_receive(command, sizeof(command)));
    sleep_ms(2);
    expect_equal(losses("link", "neither data nor request"), lost + 1);
    expect(fake_receive(beacon, sizeof(beacon)));
    sleep_ms(2);
    expect_equal(losses("link", "for others"), others_lost + 1);
}

TEST(a_full_receiver_loses_and_counts)
{
    renew();
    uint16_t lost = losses("link", "receiver full");
    for (uint8_t i = 0; i < 5; i++) {
        receive(OWN, OTHER, COUNT, i);
    }
    expect_equal(losses("link", "receiver full"), lost + 2);
    for (uint8_t i = 0; i < 3; i++) {
        expect_count(i);
    }
    expect_no_count();
    expect_equal(blocks_free(), free_at_first);
}

/* Nothing that interrupts say is lost while net-main cannot run: three packets and a timer wait for
 * it, and two packets with the driver. */
TEST(with_all_places_full_nothing_is_lost)
{
    struct link_address parent = link_short(OTHER);

    renew();
    uint16_t sent = fake.sent;
    thread_set_priority(thread_self(), PRIORITY_MAX);
    for (uint8_t i = 0; i < 3; i++) {
        expect(fake_receive(frame, compose(OWN, OTHER, next_sequence++, COUNT, i)));
    }
    expect_equal(link_poll(&parent, 60000), 0);
    expect(fake_receive(frame, compose(OWN, OTHER, next_sequence++, LIGHT, 77)));
    expect(fake_receive(frame, compose(OWN, OTHER, next_sequence++, TEXT_OF, 78)));
    expect(!fake_receive(frame, compose(OWN, OTHER, next_sequence++, TEXT_OF, 79)));
    expect_no_count();
    thread_set_priority(thread_self(), PRIORITY_APP);
    sleep_ms(SETTLE_MS);
    for (uint8_t i = 0; i < 3; i++) {
        expect_count(i);
    }
    expect_equal(lights_seen, 77);
    expect_equal(fake.sent, sent + 1); /* the request for data */
    expect_equal(link_poll(&parent, 0), 0);
}

TEST(receiving_goes_on_while_the_link_sends)
{
    renew();
    fake.air_us = 20000;
    expect_equal(am_begin(&transfer, OTHER, COUNT, payload, 2), 0);
    sleep_ms(12);
    receive(OWN, OTHER, COUNT, 33);
    expect(transfer.active);
    expect_count(33);
    while (transfer.active) {
        sleep_ms(1);
    }
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

    renew();
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
}

TEST(the_table_keeps_those_that_were_heard_last)
{
    struct link_neighbour neighbour;
    struct link_address child = link_short(0x20);
    unsigned count = 0;

    renew();
    expect_equal(link_child(&child, true), 0);
    for (uint16_t i = 0; i < 12; i++) {
        receive(OWN, (uint16_t)(0x100 + i), COUNT, 1);
        sleep_ms(1200);
    }
    while (link_neighbour(count, &neighbour) == 0) {
        count++;
    }
    expect_equal(count, 8);
    expect(find_neighbour(0x20, &neighbour));
    expect(!find_neighbour(0x104, &neighbour));
    for (uint16_t i = 5; i < 12; i++) {
        expect(find_neighbour((uint16_t)(0x100 + i), &neighbour));
    }
    expect_equal(link_child(&child, false), 0);
}

/* -------- children and parents */

static void ask_for_data(uint16_t from)
{
    uint8_t length = compose(OWN, from, next_sequence++, 0, 0);

    frame[0] = 0x63;
    frame[HEADER] = 4;
    expect(fake_receive(frame, (uint8_t)(length - 2)));
    sleep_ms(SETTLE_MS);
}

TEST(a_packet_for_a_child_waits_until_it_asks)
{
    static struct link_transfer two[2];
    struct link_address child = link_short(0x30);

    renew();
    expect_equal(link_child(&child, true), 0);
    uint16_t sent = fake.sent;
    for (unsigned i = 0; i < 2; i++) {
        payload[0] = (uint8_t)(40 + i);
        expect_equal(am_begin(&two[i], 0x30, COUNT, payload, 1), 0);
    }
    sleep_ms(3000);
    expect_equal(fake.sent, sent);
    bool by_radio = (radio_facts.capabilities & RADIO_CAN_ACKNOWLEDGE) != 0;
    expect_equal((fake.settings.flags & RADIO_PENDING) != 0, by_radio);
    ask_for_data(0x31);
    sent = fake.sent;
    ask_for_data(0x30);
    expect(!two[0].active && two[0].result == 0);
    expect(two[1].active);
    expect_equal(fake_sent(0)->bytes[11], 40);
    expect_equal(fake_sent(0)->bytes[0], 0x71); /* there is more */
    ask_for_data(0x30);
    expect(!two[1].active && two[1].result == 0);
    expect_equal(fake_sent(0)->bytes[0], 0x61);
    expect_equal(fake.settings.flags & RADIO_PENDING, 0);
    expect_equal(link_child(&child, false), 0);
    expect_equal(blocks_free(), free_at_first);
}

TEST(a_child_that_does_not_ask)
{
    struct link_address child = link_short(0x30);

    renew();
    uint16_t lost = losses("link", "child has not asked");
    expect_equal(link_child(&child, true), 0);
    uint64_t before = time_now_us();
    expect_equal(am_send(0x30, COUNT, payload, 1), ERR_TIMEOUT);
    expect((time_now_us() - before) / TIME_US_PER_S >= LINK_CHILD_S - 1);
    expect_equal(losses("link", "child has not asked"), lost + 1);
    expect_equal(fake.settings.flags & RADIO_PENDING, 0);
    expect_equal(am_send_until(0x30, COUNT, payload, 1, time_now_us() + 5000), ERR_TIMEOUT);
    expect_equal(link_child(&child, false), 0);
    expect_equal(blocks_free(), free_at_first);
}

TEST(a_child_polls_and_sleeps)
{
    struct link_address parent = link_short(OTHER);

    renew();
    settings.flags = LINK_SLEEPS;
    expect_equal(link_open(&settings), 0);
    expect(!fake.listens);
    uint16_t sent = fake.sent;
    expect_equal(link_poll(&parent, 10000), 0);
    sleep_ms(SETTLE_MS);
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
    sleep_ms(9980);
    expect_equal(fake.sent, sent + 2);
    expect(fake.listens);
    uint8_t length = compose(OWN, OTHER, next_sequence++, COUNT, 50);
    frame[0] = 0x71;
    expect(fake_receive(frame, length));
    sleep_ms(12);
    expect_equal(fake.sent, sent + 3);
    expect(fake.listens);
    expect_count(50);
    receive(OWN, OTHER, COUNT, 51);
    expect(!fake.listens);
    expect_count(51);
    expect_equal(link_poll(&parent, 0), 0);
    sleep_ms(20000);
    expect_equal(fake.sent, sent + 3);
}

TEST(a_parent_that_announces_and_does_not_send)
{
    struct link_address parent = link_short(OTHER);

    renew();
    uint16_t lost = losses("link", "parent has not sent");
    settings.flags = LINK_SLEEPS;
    expect_equal(link_open(&settings), 0);
    fake_plan(FAKE_ANNOUNCES);
    expect_equal(link_poll(&parent, 10000), 0);
    sleep_ms(10);
    expect(fake.listens);
    sleep_ms(60);
    expect(!fake.listens);
    expect_equal(losses("link", "parent has not sent"), lost + 1);
    expect_equal(link_poll(&parent, 0), 0);
}

/* -------- acknowledgments by software */

TEST(a_received_frame_is_acknowledged_if_the_radio_does_not)
{
    renew();
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
    expect_equal(blocks_free(), free_at_first);
}
