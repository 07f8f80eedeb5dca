/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Packets that become longer. */
#include "net/packet/block.h"

/* Puts new blocks behind the packet's first one, and the bytes of that one at the end of the last
 * new one: the first block, which stays where it is, is room in front of them then. */
static void insert(struct packet_first *first, packet_t blocks)
{
    struct packet_block *block = block_of(blocks), *head = &first->block;
    for (block_empty(block); block->next != PACKET_NONE; block_empty(block)) {
        block = block_of(block->next);
    }
    block->next = head->next;
    head->next = blocks;
    uint_fast8_t held = block_held(head);
    block->begin = (uint8_t)(BLOCK_END - held);
    packet_bytes_copy(block_bytes(block), block_bytes(head), held);
    block_empty(head);
}

/* Makes all room in front of the packet part of it, but for what is left over. */
static void claim(struct packet_first *first, struct packet_block *front, unsigned left_over)
{
    struct packet_block *block = &first->block;
    uint_fast8_t begin = FIRST_BEGIN;
    for (; left_over >= (uint_fast8_t)(BLOCK_END - begin) && block != front; begin = OTHER_BEGIN) {
        left_over -= (uint_fast8_t)(BLOCK_END - begin);
        block = block_of(block->next);
    }
    for (begin = (uint_fast8_t)(begin + left_over); block != front; begin = OTHER_BEGIN) {
        block->begin = (uint8_t)begin;
        block = block_of(block->next);
    }
    block->begin = (uint8_t)begin;
}

int packet_prepend(packet_t packet, const void *bytes, uint16_t length)
{
    struct packet_first *first = packet_get_sole(packet);
    struct front front = packet_front(first);
    if (length > front.room) {
        packet_t blocks =
            packet_blocks_take(packet_blocks_for(length - front.room), PACKET_TO_CHANGE);
        if (blocks == PACKET_NONE) {
            return ERR_FULL;
        }
        insert(first, blocks);
        front = packet_front(first);
    }
    claim(first, front.block, front.room - length);
    first->length = (uint16_t)(first->length + length);
    if (bytes != 0) {
        packet_write(packet, 0, bytes, length);
    }
    return 0;
}

/* Lets so many bytes more lie in a block and those behind it. */
static void extend(struct packet_block *block, unsigned length)
{
    for (;;) {
        uint_fast8_t added = (uint_fast8_t)(BLOCK_END - block->end);
        if (length < added) {
            added = (uint_fast8_t)length;
        }
        block->end = (uint8_t)(block->end + added);
        length -= added;
        if (length == 0) {
            return;
        }
        block = block_of(block->next);
        block->begin = block->end = OTHER_BEGIN;
    }
}

int packet_append(packet_t packet, const void *bytes, uint16_t length)
{
    struct packet_first *first = packet_get_sole(packet);
    struct packet_block *last = packet_last(first);
    uint_fast8_t room = (uint_fast8_t)(BLOCK_END - last->end);
    if (length > room) {
        last->next = packet_blocks_take(packet_blocks_for(length - room), PACKET_TO_CHANGE);
        if (last->next == PACKET_NONE) {
            return ERR_FULL;
        }
    }
    extend(last, length);
    uint16_t offset = first->length;
    first->length = (uint16_t)(offset + length);
    if (bytes != 0) {
        packet_write(packet, offset, bytes, length);
    }
    return 0;
}
