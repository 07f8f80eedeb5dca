/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program whose frames are short, and which has no chains: each packet is one block, and what
 * needs more is refused.
 */
#include <lichen/packet.h>
#include <lichen/print.h>

#include "test.h"

#define FRAME 28u
#define ROOM  (PACKET_BLOCK_BYTES(FRAME) - offsetof(struct packet_block, bytes))
PACKET_POOL_OF(4, FRAME);

static uint8_t blocks_free(void)
{
    struct packet_statistics statistics;
    packet_statistics(&statistics);
    return statistics.free;
}

TEST(a_block_is_as_long_as_a_frame)
{
    expect(ROOM >= FRAME + PACKET_TRAILER_BYTES && ROOM < FRAME + PACKET_TRAILER_BYTES + 4);
    expect(packet_block_bytes < PACKET_BLOCK_BYTES(PACKET_FRAME_BYTES));
}

TEST(longer_packets_are_refused)
{
    packet_t packet;
    expect_equal(packet_alloc(&packet, TEXT("test"), 0, ROOM + 1), ERR_FULL);
    expect_equal(packet_alloc_receive(&packet, TEXT("test"), ROOM + 1), ERR_FULL);
    expect_equal(packet_alloc(&packet, TEXT("test"), 0, ROOM), 0);
    expect_equal(packet_append(packet, 0, 1), ERR_FULL);
    expect_equal(packet_prepend(packet, 0, 1), ERR_FULL);
    expect_equal(packet_length(packet), ROOM);
    packet_free(packet);
    expect_equal(blocks_free(), 4);
}

/* Two packets in a row, whose bytes differ, so that one would show in the other. */
TEST(blocks_do_not_overlap)
{
    packet_t packets[2];
    uint8_t bytes[ROOM];
    for (uint8_t i = 0; i < 2; i++) {
        expect_equal(packet_alloc(&packets[i], TEXT("test"), 0, ROOM), 0);
        for (uint8_t at = 0; at < ROOM; at++) {
            packet_write(packets[i], at, &i, 1);
        }
    }
    for (uint8_t i = 0; i < 2; i++) {
        packet_read(packets[i], 0, bytes, ROOM);
        for (uint8_t at = 0; at < ROOM; at++) {
            expect_equal(bytes[at], i);
        }
        packet_free(packets[i]);
    }
    expect_equal(blocks_free(), 4);
}
