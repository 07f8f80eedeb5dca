/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Counters of other devices: no frame is accepted twice. */
#include <string.h>

#include "net/security/devices.h"
#include "pair.h"
#include "test.h"

TEST(a_frame_is_accepted_once)
{
    static uint8_t older[ROOM];

    renew();
    send_and_receive();
    expect_equal(receive(), LINK_COUNTER_OLD);
    memcpy(older, frame, ROOM);
    send_and_receive();
    memcpy(frame, older, ROOM);
    expect_equal(receive(), LINK_COUNTER_OLD);
}

/* A counter that nobody has authenticated changes nothing. */
TEST(a_forged_counter_does_not_silence_its_victim)
{
    renew();
    send_and_receive();
    expect_equal(send(&by_index), LINK_GOOD);
    frame[5 + 4] = 0x7f;
    expect_equal(receive(), LINK_MIC_WRONG);
    frame[5 + 4] = 0;
    expect_equal(receive(), LINK_GOOD);
}

TEST(the_last_counter_is_neither_received_nor_sent)
{
    renew();
    security_counter.next = COUNTER_END - 1;
    security_counter.limit = COUNTER_END;
    send_and_receive();
    expect_equal(send(&by_index), LINK_COUNTER_USED_UP);
    expect_equal(counter_reserve(security.counter), ERR_FULL);
    memset(frame + 6, 0xff, 4);
    expect_equal(receive(), LINK_COUNTER_LAST);
}

/* Frames of a sender whose counter is `counter`. */
static void send_as(uint8_t who, uint32_t counter)
{
    sender[7] = who;
    security_counter.limit = COUNTER_END;
    security_counter.next = counter;
    expect_equal(send(&by_index), LINK_GOOD);
}

static void hear(uint8_t who, uint32_t counter, enum link_refusal wanted)
{
    send_as(who, counter);
    expect_equal(receive(), wanted);
}

TEST(a_device_without_a_place_cannot_be_replayed)
{
    renew();
    hear(1, 100, LINK_GOOD);
    hear(2, 50, LINK_GOOD);
    hear(3, 200, LINK_GOOD);
    hear(4, 300, LINK_GOOD);
    expect_equal(security.floor, 0);
    hear(5, 10, LINK_GOOD); /* takes the place of 2 */
    expect_equal(security.floor, 51);
    hear(2, 50, LINK_COUNTER_OLD);
    hear(5, 10, LINK_COUNTER_OLD);
    hear(6, 50, LINK_COUNTER_OLD); /* below the floor */
    hear(6, 51, LINK_GOOD);        /* takes the place of 5 */
    expect_equal(security.floor, 51);
    hear(5, 11, LINK_COUNTER_OLD);
    hear(2, 52, LINK_GOOD); /* takes the place of 6 */
    expect_equal(security.floor, 52);
    hear(6, 51, LINK_COUNTER_OLD);
    hear(1, 100, LINK_COUNTER_OLD);
    hear(1, 101, LINK_GOOD);
}

/* More devices than places, at random: no frame is accepted twice. */
TEST(no_frame_is_accepted_twice_however_many_devices_there_are)
{
    static uint32_t accepted[10], seed;
    unsigned count = 0;

    renew();
    memset(accepted, 0, sizeof(accepted));
    for (unsigned i = 0; i < 400; i++) {
        seed = seed * 1664525u + 1013904223u;
        uint8_t who = (uint8_t)((seed >> 16) % 10);
        uint32_t counter = accepted[who] + (seed >> 24) % 8;
        counter = counter > 2 ? counter - 2 : 1;
        send_as(who, counter);
        bool is_good = receive() == LINK_GOOD;
        expect(!is_good || counter > accepted[who]);
        accepted[who] = is_good ? counter : accepted[who];
        count += is_good;
    }
    expect(count > 50);
}

TEST(a_trusted_source_can_say_where_a_counter_is)
{
    renew();
    for (uint8_t who = 1; who < 7; who++) {
        hear(who, 100u * who, LINK_GOOD);
    }
    expect_equal(security.floor, 201);
    hear(7, 20, LINK_COUNTER_OLD);
    link_device_add(&security, sender, 20);
    hear(7, 19, LINK_COUNTER_OLD);
    hear(7, 20, LINK_GOOD);
    link_device_add(&security, sender, 3);
    hear(7, 20, LINK_COUNTER_OLD);
    hear(7, 21, LINK_GOOD);
}

TEST(a_short_address_leads_to_the_sender)
{
    struct security_incoming in = {.pan = 0x4321, .short_address = 0x0012};
    uint8_t other[LINK_EXTENDED_BYTES] = {9};

    renew();
    expect_equal(send(&by_index), LINK_GOOD);
    expect_equal(receive_from(in, PRIVATE + 4), LINK_DEVICE_UNKNOWN);
    expect_equal(link_device_name(&security, sender, 0x4321, 0x0012), 0);
    in.pan = 0x4322;
    expect_equal(receive_from(in, PRIVATE + 4), LINK_DEVICE_UNKNOWN);
    in.pan = 0x4321;
    expect_equal(receive_from(in, PRIVATE + 4), LINK_GOOD);
    expect_equal(receive_from(in, PRIVATE + 4), LINK_COUNTER_OLD);
    expect_equal(receive(), LINK_COUNTER_OLD);
    expect_equal(send(&by_index), LINK_GOOD);
    expect_equal(link_device_name(&security, other, 0x4321, 0x0012), 0);
    expect_equal(receive_from(in, PRIVATE + 4), LINK_MIC_WRONG);
    expect_equal(link_device_name(&security, sender, 0x4321, 0x0012), 0);
    expect_equal(receive_from(in, PRIVATE + 4), LINK_GOOD);
}

/* Names that nobody has authenticated displace each other, and no counters. */
TEST(names_do_not_displace_devices_that_were_authenticated)
{
    uint8_t other[LINK_EXTENDED_BYTES] = {9};

    renew();
    for (uint8_t who = 1; who < DEVICES; who++) {
        hear(who, 100, LINK_GOOD);
    }
    for (other[7] = 0; other[7] < 20; other[7]++) {
        expect_equal(link_device_name(&security, other, 1, other[7]), 0);
    }
    hear(DEVICES, 100, LINK_GOOD);
    expect_equal(security.floor, 0);
    expect_equal(link_device_name(&security, other, 1, 2), ERR_FULL);
    hear(1, 100, LINK_COUNTER_OLD);
}
