/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Packets that become longer. */
#include "net/packet/block.h"

/* -------- in front */

/* Puts new blocks behind the packet's first one, and the bytes of that one at the end of the last
 * new one: the first block, which stays where it is, is room in front of them then. */
static void insert(packet_t packet, packet_t blocks)
{
    struct packet_block *first = block_of(packet), *block = block_of(blocks);
    for (block_empty(block); block->next != PACKET_NONE; block_empty(block)) {
        block = block_of(block->next);
    }
    block->next = first->next;
    first->next = blocks;
    block->begin = (uint8_t)(BLOCK_END - block_held(first));
    bytes_copy(block_bytes(block), block_bytes(first), block_held(first));
    block_empty(first);
}

/* Makes all room in front of the packet part of it, but for what is left over. */
static void claim(packet_t packet, packet_t front, uint16_t left_over)
{
    for (packet_t number = packet;; number = block_of(number)->next) {
        struct packet_block *block = block_of(number);
        uint8_t begin = begin_in(packet, number);
        uint8_t room = (uint8_t)((number == front ? block->begin : BLOCK_END) - begin);
        if (left_over < room) {
            block->begin = (uint8_t)(begin + left_over);
            left_over = 0;
        } else {
            left_over = (uint16_t)(left_over - room);
        }
        if (number == front) {
            return;
        }
    }
}

int packet_prepend(packet_t packet, const void *bytes, uint16_t length)
{
    packet_check_sole(packet);
    struct front front = packet_front(packet);
    if (length > front.room) {
        uint16_t count = blocks_for((uint16_t)(length - front.room));
        packet_t blocks = blocks_take(count, PACKET_TO_CHANGE);
        if (blocks == PACKET_NONE) {
            return ERR_FULL;
        }
        insert(packet, blocks);
        front = packet_front(packet);
    }
    claim(packet, front.number, (uint16_t)(front.room - length));
    struct packet_first *first = first_of(packet);
    first->length = (uint16_t)(first->length + length);
    if (bytes != 0) {
        packet_write(packet, 0, bytes, length);
    }
    return 0;
}

/* -------- behind */

/* Lets bytes lie at the end of a chain from a block on. */
static void extend(packet_t number, uint16_t length)
{
    while (length > 0) {
        struct packet_block *block = block_of(number);
        uint8_t room = (uint8_t)(BLOCK_END - block->end);
        uint8_t added = length < room ? (uint8_t)length : room;
        block->end = (uint8_t)(block->end + added);
        length = (uint16_t)(length - added);
        number = block->next;
    }
}

static void lay_out(packet_t number)
{
    for (; number != PACKET_NONE; number = block_of(number)->next) {
        struct packet_block *block = block_of(number);
        block->begin = block->end = OTHER_BEGIN;
    }
}

int packet_append(packet_t packet, const void *bytes, uint16_t length)
{
    packet_check_sole(packet);
    packet_t last = packet_last(packet);
    uint8_t room = (uint8_t)(BLOCK_END - block_of(last)->end);
    if (length > room) {
        packet_t blocks = blocks_take(blocks_for((uint16_t)(length - room)), PACKET_TO_CHANGE);
        if (blocks == PACKET_NONE) {
            return ERR_FULL;
        }
        lay_out(blocks);
        block_of(last)->next = blocks;
    }
    extend(last, length);
    struct packet_first *first = first_of(packet);
    uint16_t offset = first->length;
    first->length = (uint16_t)(offset + length);
    if (bytes != 0) {
        packet_write(packet, offset, bytes, length);
    }
    return 0;
}
