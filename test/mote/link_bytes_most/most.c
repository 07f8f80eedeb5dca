/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* As many of the longest frames as there is room for, and two receivers with a queue for all. */
#include <lichen/am.h>

#include <string.h>

#include <lichen/print.h>

#include "../link_bytes/fake_driver.h"
#include "net/byte_link/byte_link.h"
#include "test.h"

enum { OWN = 0x0102, OTHER = 0x0203, COUNT = 6, FRAMES = 16, LONGEST = 118 };

LINK_FRAMES(FRAMES, LONGEST);
AM_RECEIVER(counts, COUNT, FRAMES);
AM_RECEIVER_ALL(messages, FRAMES);

static uint8_t frame[HEADER_BYTES + LONGEST];

static enum fake_reception hear(uint8_t type, uint8_t value)
{
    const uint8_t header[] = {OWN >> 8, OWN & 0xff,     OTHER >> 8, OTHER & 0xff,
                              LONGEST,  LINK_PAN_USUAL, type};

    memcpy(frame, header, sizeof(header));
    memset(frame + HEADER_BYTES, value, LONGEST);
    return fake_receive(frame, sizeof(frame));
}

static void expect_next(struct link_receiver *receiver, uint8_t value)
{
    struct am_message message;

    memset(frame, 0, sizeof(frame));
    expect_equal(am_try_receive(receiver, &message, frame, LONGEST), 0);
    expect_equal(message.length, LONGEST);
    for (uint8_t i = 0; i < LONGEST; i++) {
        expect_equal(frame[i], value);
    }
}

static uint8_t frames_used(void)
{
    uint8_t used = 0;

    for (uint8_t i = 0; i < FRAMES; i++) {
        used += link_frame_is_used[i];
    }
    return used;
}

/* They are taken in another order than they have come, so frames are free anywhere. */
TEST(no_frame_overwrites_another)
{
    const struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = OWN};

    fake_renew();
    expect_equal(link_open(&settings), 0);
    for (uint8_t round = 1; round < 20; round++) {
        for (uint8_t i = 0; i < FRAMES; i++) {
            expect_equal(hear(i % 3 == 0 ? COUNT : COUNT + 1, (uint8_t)(round * FRAMES + i)),
                         FAKE_ACKED);
        }
        expect_equal(hear(COUNT, 0), FAKE_MISSED);
        expect_equal(frames_used(), FRAMES);
        for (uint8_t i = 0; i < FRAMES; i++) {
            if (i % 3 != 0) {
                expect_next(&messages, (uint8_t)(round * FRAMES + i));
            }
        }
        expect_equal(hear(COUNT, (uint8_t)(round * FRAMES + FRAMES)), FAKE_ACKED);
        for (uint8_t i = 0; i <= FRAMES; i++) {
            if (i % 3 == 0 || i == FRAMES) {
                expect_next(&counts, (uint8_t)(round * FRAMES + i));
            }
        }
        expect_equal(frames_used(), 1);
    }
}
