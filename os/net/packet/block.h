/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Blocks, and the chains of them that packets are.
 *
 * The bytes of a packet lie in the blocks of its chain, one after the other. Blocks without bytes
 * come first, never after one with bytes; they are room in front of the packet, and so is what lies
 * before `begin` in the first block with bytes. The blocks after that one are filled from their
 * begin on, or have been parts of other packets; what lies behind `end` of the last block is room
 * behind the packet. In a packet without bytes the last block counts as the first with bytes.
 */
#ifndef NET_PACKET_BLOCK_H
#define NET_PACKET_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/assert.h>
#include <lichen/packet.h>

enum {
    BLOCK_END = PACKET_BLOCK_BYTES,
    FIRST_BEGIN = sizeof(struct packet_first), /* where bytes can begin in the first block */
    OTHER_BEGIN = sizeof(struct packet_block), /* and in others */
};

static inline union packet_memory *memory_of(packet_t block)
{
    return &packet_blocks[block - 1u];
}

static inline struct packet_block *block_of(packet_t block)
{
    return &memory_of(block)->block;
}

static inline struct packet_first *first_of(packet_t packet)
{
    return &memory_of(packet)->first;
}

static inline uint8_t *references_of(packet_t block)
{
    return &packet_references[block - 1u];
}

static inline uint8_t block_held(const struct packet_block *block)
{
    return (uint8_t)(block->end - block->begin);
}

static inline uint8_t *block_bytes(struct packet_block *block)
{
    return (uint8_t *)block + block->begin;
}

/* Where bytes can begin in a block of this packet. */
static inline uint8_t begin_in(packet_t packet, packet_t block)
{
    return block == packet ? FIRST_BEGIN : OTHER_BEGIN;
}

static inline void block_empty(struct packet_block *block)
{
    block->begin = block->end = BLOCK_END;
}

/* Asserts that this is a packet. */
static inline void packet_check(packet_t packet)
{
    assert((uint8_t)(packet - 1u) < packet_block_count);
    assert((uint8_t)(*references_of(packet) - 1u) < PACKET_REFERENCES_MAX);
}

/* Asserts that it is one and may be changed. */
static inline void packet_check_sole(packet_t packet)
{
    assert((uint8_t)(packet - 1u) < packet_block_count);
    assert(*references_of(packet) == 1);
}

/* A byte of a packet: its block, and the offset in the bytes of this block, which may be their
 * number. */
struct place {
    struct packet_block *block;
    packet_t number;
    uint8_t offset;
};

/* Where the byte at an offset of a packet is, or would be appended. At the boundary of two blocks
 * it is the end of the first one.
 * offset    at most the length
 */
struct place packet_place(packet_t packet, uint16_t offset);

/* The last block. */
packet_t packet_last(packet_t packet);

/* The first block with bytes, or the last block, and the room in front of its bytes. */
struct front {
    packet_t number;
    uint16_t room;
};
struct front packet_front(packet_t packet);

/* Takes blocks from the pool, as a chain. They are no packet yet, and have neither begin nor end.
 * count     1 or more
 * returns   the first one, or PACKET_NONE: there are not as many
 */
packet_t blocks_take(uint16_t count, enum packet_purpose purpose);

/* How many further blocks hold so many bytes. */
uint16_t blocks_for(uint16_t bytes);

/* Gives a chain back.
 * first     PACKET_NONE: nothing
 */
void blocks_give(packet_t first);

void bytes_copy(void *to, const void *from, uint8_t length);

#endif
