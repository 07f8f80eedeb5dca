/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Counters of a secured link's frames, which the link reserves before it needs them. The medium is
 * played. Most tests begin a few frames before half a block is left.
 */
#include <lichen/am.h>

#include <lichen/print.h>

#include "../link/fake_radio.h"
#include "../storage_faults/played_medium.h"
#include "net/ieee802154/frame.h"
#include "net/link/link.h"
#include "test.h"

enum { PEER = 1, OWN = 2, COUNT = 6, COUNTER_AT = 10, HALF = COUNTER_BLOCK / 2, FEW = 70 };

LINK_SECURED(1, 1);
PACKET_POOL(16);
LINK_NEIGHBOURS(1);

static const uint8_t key[LINK_KEY_BYTES] = {0xc0, 0xc1, 0xc2, 0xc3};
static const struct link_settings settings = {.pan = LINK_PAN_USUAL,
                                              .short_address = OWN,
                                              .level = LINK_LEVEL_ENC_MIC_32,
                                              .key = {.mode = LINK_KEY_INDEX, .index = 1}};
static uint8_t payload[2];

/* The mote starts with what the medium holds. */
static void start(void)
{
    played_restart();
    link_security_counter.is_open = false;
    fake_renew();
    fake.air_us = 100;
    expect_equal(link_key_set(&link_security, &settings.key, key, LINK_LEVELS_USUAL), 0);
    expect_equal(link_open(&settings), 0);
}

static void start_anew(void)
{
    played_renew();
    start();
}

static uint32_t left(void)
{
    return link_security_counter.limit - link_security_counter.next;
}

/* As if all other frames had been sent. */
static void leave(uint32_t count)
{
    link_security_counter.next += left() - count;
}

static uint32_t sent_counter(void)
{
    const uint8_t *bytes = fake_sent(0)->bytes + COUNTER_AT;

    return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
}

/* Sends frames, of which each has the counter after that of the frame before.
 * returns   how many were sent before one failed
 */
static unsigned send_some(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        uint32_t next = link_security_counter.next;
        uint16_t sent = fake.sent;
        int error = am_send(PEER, COUNT, payload, sizeof(payload));
        if (error != 0) {
            expect_equal(error, ERR_FULL);
            expect_equal(fake.sent, sent);
            return i;
        }
        expect_equal((uint16_t)(fake.sent - sent), 1);
        expect_equal(sent_counter(), next);
    }
    return count;
}

static uint16_t without_counter(void)
{
    struct link_loss loss = {.count = UINT16_MAX};

    expect_equal(link_loss(LOST_BY_LINK + FRAME_REFUSALS - 1u + LINK_COUNTER_NONE - 2u, &loss), 0);
    return loss.count;
}

TEST(ten_thousand_frames_are_sent)
{
    start_anew();
    expect_equal(send_some(10000), 10000);
    expect_equal(sent_counter(), 9999);
    expect(left() >= HALF);
}

TEST(a_block_is_reserved_when_half_of_one_is_left)
{
    start_anew();
    leave(HALF + FEW);
    uint32_t limit = link_security_counter.limit;
    expect_equal(send_some(FEW - 1), FEW - 1);
    expect_equal(link_security_counter.limit, limit);
    expect_equal(send_some(FEW), FEW);
    expect_equal(link_security_counter.limit, limit + COUNTER_BLOCK);
}

/* Transfers of two events follow each other, so there is always one that waits. A frame takes
 * longer than the cipher, or net-tx, which makes the next one meanwhile, would leave no time to
 * this thread. */
enum { AIR_US = 5000 };
static struct link_transfer transfers[2];

static void begin_on(struct link_transfer *transfer)
{
    (void)!am_begin(transfer, PEER, COUNT, payload, sizeof(payload));
}

EVENT(first_ended)
{
    begin_on(&transfers[0]);
}

EVENT(second_ended)
{
    begin_on(&transfers[1]);
}

static void send_without_a_pause(bool sends)
{
    transfers[0].ended = sends ? &first_ended : 0;
    transfers[1].ended = sends ? &second_ended : 0;
    if (sends) {
        event_post(&first_ended);
        event_post(&second_ended);
    }
}

TEST(one_is_reserved_though_frames_always_wait)
{
    start_anew();
    fake.air_us = AIR_US;
    leave(HALF / 2 + FEW);
    uint32_t limit = link_security_counter.limit;
    uint16_t refused = without_counter();
    send_without_a_pause(true);
    for (unsigned i = 0; i < 2000 && link_security_counter.limit == limit; i++) {
        sleep_ms(10);
    }
    send_without_a_pause(false);
    sleep_ms(100);
    expect(!transfers[0].active && !transfers[1].active);
    expect_equal(link_security_counter.limit, limit + COUNTER_BLOCK);
    expect(left() > COUNTER_BLOCK);
    expect_equal(without_counter(), refused);
}

TEST(a_write_that_fails_is_repeated)
{
    start_anew();
    leave(HALF + FEW);
    played.is_brief = true;
    played.cut_after = 0;
    expect_equal(send_some(2 * FEW), 2 * FEW);
    expect_equal(played.cut_after, UINT16_MAX);
    expect(left() < HALF);
    expect_equal(send_some(2 * FEW), 2 * FEW);
    expect(left() > COUNTER_BLOCK);
}

TEST(without_its_medium_the_link_sends_what_is_reserved_and_then_says_why_not)
{
    start_anew();
    leave(HALF + FEW);
    played.is_absent = true;
    uint16_t refused = without_counter();
    expect_equal(send_some(COUNTER_BLOCK), HALF + FEW);
    expect_equal(send_some(3), 0);
    expect_equal(without_counter(), refused + 2);
    played.is_absent = false;
    expect_equal(send_some(FEW), FEW);
    expect_equal(without_counter(), refused + 2);
}

/* Where power fails in the reservation ahead, or in one that was put off to the last moment. */
static void cut_at(uint32_t reserved, uint16_t operation, uint16_t torn_bytes)
{
    start_anew();
    leave(reserved);
    played.cut_after = operation;
    played.torn_bytes = torn_bytes;
    (void)send_some(2 * FEW);
    uint32_t last = sent_counter();
    start();
    expect_equal(send_some(1), 1);
    expect(sent_counter() > last);
}

TEST(no_nonce_repeats_where_power_fails_in_a_reservation)
{
    for (uint16_t operation = 0; operation < 3; operation++) {
        for (uint16_t torn = 0; torn <= 8; torn++) {
            cut_at(HALF + FEW, operation, torn);
            cut_at(FEW, operation, torn);
        }
    }
}
