/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The fewest frames, which are the shortest, and one receiver: no packets, no children, no polling.
 */
#include <lichen/am.h>

#include <lichen/print.h>
#include <lichen/thread.h>

#include "../link_bytes/fake_driver.h"
#include "net/byte_link/byte_link.h"
#include "test.h"

enum { OWN = 0x0102, OTHER = 0x0203, COUNT = 6, FRAMES = 3 };

LINK_FRAMES(FRAMES, 1);
AM_RECEIVER(counts, COUNT, FRAMES);

static enum fake_reception hear(uint8_t type, uint8_t length, uint8_t value)
{
    const uint8_t frame[] = {OWN >> 8, OWN & 0xff,     OTHER >> 8, OTHER & 0xff,
                             length,   LINK_PAN_USUAL, type,       value};

    return fake_receive(frame, (uint8_t)(sizeof(frame) - 1 + length));
}

static void open(void)
{
    const struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = OWN};

    fake_renew();
    expect_equal(link_open(&settings), 0);
}

static uint16_t losses(unsigned reason)
{
    return byte_link_losses[reason];
}

static void expect_count(uint8_t value)
{
    struct am_message message;
    uint8_t byte = 0;

    expect_equal(am_try_receive(&counts, &message, &byte, 1), 0);
    expect_equal(message.length, 1);
    expect_equal(byte, value);
}

TEST(all_frames_are_used_and_served_again)
{
    open();
    for (uint8_t round = 0; round < 100; round++) {
        uint16_t missed = losses(LOST_BY_LINK + CC1000_OVERFLOWED);
        for (uint8_t i = 0; i < FRAMES; i++) {
            expect_equal(hear(COUNT, 1, (uint8_t)(round + i)), FAKE_ACKED);
        }
        expect_equal(hear(COUNT, 1, 0), FAKE_MISSED);
        expect_equal(losses(LOST_BY_LINK + CC1000_OVERFLOWED), missed + 1);
        expect_count(round);
        expect_equal(hear(COUNT, 1, (uint8_t)(round + FRAMES)), FAKE_ACKED);
        for (uint8_t i = 1; i <= FRAMES; i++) {
            expect_count((uint8_t)(round + i));
        }
    }
}

/* Two are left for receiving. */
TEST(one_message_is_begun_at_a_time)
{
    static struct link_transfer transfers[2];
    uint8_t byte = 7;

    open();
    expect_equal(am_begin(&transfers[0], OTHER, COUNT, &byte, 1), 0);
    expect_equal(am_begin(&transfers[1], OTHER, COUNT, &byte, 1), ERR_FULL);
    expect_equal(hear(COUNT, 1, 1), FAKE_ACKED);
    expect_equal(hear(COUNT, 1, 2), FAKE_ACKED);
    expect_equal(hear(COUNT, 1, 3), FAKE_MISSED);
    sleep_ms(30);
    expect(!transfers[0].active && transfers[0].result == 0);
    expect_count(1);
    expect_count(2);
    expect_equal(am_begin(&transfers[1], OTHER, COUNT, &byte, 1), 0);
    sleep_ms(30);
    expect(!transfers[1].active && transfers[1].result == 0);
}

TEST(longer_messages_are_refused)
{
    uint8_t bytes[2] = {1, 2};

    open();
    expect_equal(am_send(OTHER, COUNT, bytes, 1), 0);
    expect_equal(am_send(OTHER, COUNT, bytes, 2), ERR_INVALID);
    expect_equal(am_send(OTHER, TYPE_PACKET, bytes, 0), ERR_INVALID);
}

/* An acknowledgment would say that somebody has it. */
TEST(what_this_program_has_no_use_for_is_counted_and_not_acknowledged)
{
    open();
    uint16_t kind = losses(LOST_KIND);
    uint16_t none = losses(LOST_NO_RECEIVER);
    expect_equal(hear(TYPE_REQUEST, 0, 0), FAKE_NOT_ACKED);
    expect_equal(losses(LOST_KIND), kind + 1);
    expect_equal(hear(COUNT + 1, 1, 0), FAKE_NOT_ACKED);
    expect_equal(hear(TYPE_PACKET, 1, 0), FAKE_NOT_ACKED);
    expect_equal(losses(LOST_NO_RECEIVER), none + 2);
    expect_equal(hear(COUNT, 1, 9), FAKE_ACKED);
    expect_count(9);
}
