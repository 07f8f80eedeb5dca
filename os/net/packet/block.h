/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Blocks, and the chains of them that packets are.
 *
 * The bytes of a packet lie in the blocks of its chain, one after the other. Blocks without bytes
 * come first, never after one with bytes, and their `begin` and `end` are BLOCK_END. They are room
 * in front of the packet, and so is what lies before `begin` in the front block: the first one with
 * bytes or, in a packet without bytes, the last one. What lies behind `end` of the last block is
 * room behind the packet.
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

static inline struct packet_block *block_of(packet_t block)
{
    return &packet_blocks[block - 1u].block;
}

/* How many bytes a block has. Numbers up to BLOCK_END have this type: 8 bits where registers have.
 */
static inline uint_fast8_t block_held(const struct packet_block *block)
{
    return (uint_fast8_t)(block->end - block->begin);
}

static inline uint8_t *block_bytes(struct packet_block *block)
{
    return (uint8_t *)block + block->begin;
}

static inline void block_empty(struct packet_block *block)
{
    block->begin = block->end = BLOCK_END;
}

/* The first block of a packet; asserts that it is one. */
struct packet_first *packet_get(packet_t packet);

/* The same of a packet that may be changed. */
struct packet_first *packet_get_sole(packet_t packet);

/* A byte of a packet. At the boundary of two blocks it is the end of the first one. */
struct place {
    struct packet_block *block;
    uint8_t *byte;
    uint_fast8_t left; /* bytes of the block from there on */
};

/* Where the byte at an offset is, or would be appended.
 * offset    at most the length
 */
struct place packet_place(struct packet_first *first, unsigned offset);

/* The front block, and the room in front of the packet. */
struct front {
    struct packet_block *block;
    unsigned room;
};
struct front packet_front(struct packet_first *first);

/* The last block. */
struct packet_block *packet_last(struct packet_first *first);

/* Takes blocks from the pool, as a chain. They are no packet yet, and have neither begin nor end.
 * count     1 or more
 * returns   the first one, or PACKET_NONE: there are not as many
 */
packet_t packet_blocks_take(unsigned count, enum packet_purpose purpose);

/* How many further blocks hold so many bytes. */
unsigned packet_blocks_for(unsigned bytes);

/* Gives a chain back.
 * first     PACKET_NONE: nothing
 */
void packet_blocks_give(packet_t first);

void packet_bytes_copy(uint8_t *to, const uint8_t *from, uint_fast8_t length);

#endif
