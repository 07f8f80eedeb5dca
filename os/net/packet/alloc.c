/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "net/packet/block.h"

/* Where bytes lie in new blocks: room for headers in front, then the bytes; what is left is room
 * behind them. */
static void lay_out(struct packet_first *first, unsigned headroom, unsigned length)
{
    struct packet_block *block = &first->block;
    uint_fast8_t begin = FIRST_BEGIN;
    for (; headroom >= (uint_fast8_t)(BLOCK_END - begin) && block->next != PACKET_NONE;
         begin = OTHER_BEGIN) {
        headroom -= (uint_fast8_t)(BLOCK_END - begin);
        block_empty(block);
        block = block_of(block->next);
    }
    for (begin = (uint_fast8_t)(begin + headroom);; begin = OTHER_BEGIN) {
        uint_fast8_t held = (uint_fast8_t)(BLOCK_END - begin);
        if (length < held) {
            held = (uint_fast8_t)length;
        }
        block->begin = (uint8_t)begin;
        block->end = (uint8_t)(begin + held);
        length -= held;
        if (block->next == PACKET_NONE) {
            return;
        }
        block = block_of(block->next);
    }
}

static void clear(struct packet_attributes *attributes)
{
    attributes->time_us = 0;
    attributes->dbm = 0;
    attributes->lqi = 0;
    attributes->channel = 0;
    attributes->flags = 0;
}

static int alloc(packet_t *packet, const char *owner, uint16_t headroom, uint16_t length,
                 enum packet_purpose purpose)
{
    uint16_t bytes = (uint16_t)(headroom + length);
    if (bytes < length) {
        bytes = UINT16_MAX; /* more than any pool has */
    }
    unsigned blocks = 1;
    if (bytes > PACKET_FIRST_BYTES) {
        blocks += packet_blocks_for(bytes - PACKET_FIRST_BYTES);
    }
    packet_t new = packet_blocks_take(blocks, purpose);
    if (new == PACKET_NONE) {
        return ERR_FULL;
    }
    struct packet_first *first = &packet_blocks[new - 1u].first;
    lay_out(first, headroom, length);
    first->owner = owner;
    first->length = length;
    clear(&first->attributes);
    packet_references[new - 1u] = 1;
    *packet = new;
    return 0;
}

int packet_alloc(packet_t *packet, const char *owner, uint16_t headroom, uint16_t length)
{
    return alloc(packet, owner, headroom, length, PACKET_TO_SEND);
}

int packet_alloc_receive(packet_t *packet, const char *owner, uint16_t length)
{
    return alloc(packet, owner, 0, length, PACKET_TO_RECEIVE);
}

void packet_own(packet_t packet, const char *owner)
{
    packet_get(packet)->owner = owner;
}

struct packet_attributes *packet_attributes(packet_t packet)
{
    return &packet_get(packet)->attributes;
}

uint16_t packet_length(packet_t packet)
{
    return packet_get(packet)->length;
}

int packet_unshare(packet_t *packet)
{
    packet_t original = *packet, copy;
    struct packet_first *first = packet_get(original);
    if (packet_references[original - 1u] == 1) {
        return 0;
    }
    unsigned room = packet_front(first).room;
    int error = alloc(&copy, first->owner, (uint16_t)room, first->length, PACKET_TO_CHANGE);
    if (error != 0) {
        return error;
    }
    *packet_attributes(copy) = first->attributes;
    uint16_t offset = 0;
    struct packet_piece piece;
    while (packet_gather(original, offset, &piece, 1) != 0) {
        packet_write(copy, offset, piece.bytes, piece.length);
        offset = (uint16_t)(offset + piece.length);
    }
    packet_free(original);
    *packet = copy;
    return 0;
}
