/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Blocks, and the chains of them that packets are: chains of one, but for packets that are longer
 * than a block.
 *
 * The bytes of a packet lie in the blocks of its chain, one after the other. Blocks without bytes
 * come first, never after one with bytes, and their `begin` and `end` are block_end(). They are
 * room in front of the packet, and so is what lies before `begin` in the front block: the first one
 * with bytes or, in a packet without bytes, the last one. What lies behind `end` of the last block
 * is room behind the packet.
 */
#ifndef NET_PACKET_BLOCK_H
#define NET_PACKET_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lichen/assert.h>
#include <lichen/packet.h>

enum {
    BLOCK_BEGIN = offsetof(struct packet_block, bytes), /* where bytes can begin */
};

struct packet_block *packet_block_of(packet_t block);

/* Where they end at most. */
static inline uint_fast8_t block_end(void)
{
    return packet_block_bytes;
}

/* How many a block has room for. */
static inline uint_fast8_t block_room(void)
{
    return (uint_fast8_t)(packet_block_bytes - BLOCK_BEGIN);
}

/* How many bytes a block has. Numbers up to block_end() have this type: 8 bits where registers
 * have.
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
    block->begin = block->end = block_end();
}

/* Whether a packet is one block. */
static inline bool block_is_packet(const struct packet_block *first)
{
    return first->next == PACKET_NONE;
}

/* The first block of a packet; asserts that it is one. */
struct packet_block *packet_get(packet_t packet);

/* The same of a packet that may be changed. */
struct packet_block *packet_get_sole(packet_t packet);

/* Takes blocks from the pool, as a chain. They are no packet yet, and have neither begin nor end.
 * count     1 or more
 * returns   the first one, or PACKET_NONE: there are not as many
 */
packet_t packet_blocks_take(unsigned count, enum packet_purpose purpose);

/* As packet_alloc, for any purpose. */
int packet_alloc_for(packet_t *packet, const char *owner, uint16_t headroom, uint16_t length,
                     enum packet_purpose purpose);

/* How many blocks hold so many bytes. */
unsigned packet_blocks_for(unsigned bytes);

/* Gives a chain back.
 * first     PACKET_NONE: nothing
 */
void packet_blocks_give(packet_t first);

/* A packet has not been on the air, or when another one was. Not there in a program that does not
 * ask for it.
 */
void packet_time_clear(packet_t packet);
void packet_time_copy(packet_t to, packet_t from);

void packet_bytes_copy(uint8_t *to, const uint8_t *from, uint_fast8_t length);

/* -------- packets that are several blocks (chain.c). Only that makes such packets: what is called
 * for them is there then. packet_chain_take, _prepend and _append are for what a block has no room
 * for, and may be 0 */

packet_t packet_chain_take(unsigned headroom, unsigned length, enum packet_purpose purpose);
int packet_chain_prepend(struct packet_block *first, unsigned length);
int packet_chain_append(struct packet_block *first, unsigned length);
void packet_chain_trim_front(struct packet_block *first, unsigned length);
void packet_chain_trim_back(struct packet_block *first, unsigned length);
uint16_t packet_chain_length(const struct packet_block *first);
uint16_t packet_chain_headroom(struct packet_block *first);
uint8_t *packet_chain_flat(struct packet_block *first);

/* Copies bytes to a packet or, with `out`, from it. */
void packet_chain_copy(struct packet_block *first, unsigned offset, uint8_t *bytes, unsigned length,
                       bool out);
uint8_t packet_chain_gather(struct packet_block *first, unsigned offset,
                            struct packet_piece *pieces, uint8_t most);
void packet_chain_cursor(struct packet_cursor *cursor, struct packet_block *first, unsigned offset);

/* Goes on to the next piece with bytes, of which there are some. */
void packet_chain_go_on(struct packet_cursor *cursor);

#pragma weak packet_chain_length
#pragma weak packet_time_clear
#pragma weak packet_time_copy

/* The length of a packet. */
static inline uint16_t block_length(const struct packet_block *first)
{
    return block_is_packet(first) ? block_held(first) : packet_chain_length(first);
}

/* Gives a packet the attributes of another one. */
static inline void block_copy_attributes(packet_t to, packet_t from)
{
    packet_block_of(to)->attributes = packet_block_of(from)->attributes;
    if (packet_time_copy != 0) {
        packet_time_copy(to, from);
    }
}

#endif
