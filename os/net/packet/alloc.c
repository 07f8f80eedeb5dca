/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "net/packet/block.h"

/* Where bytes lie in new blocks: room for headers in front, then the bytes; what is left is room
 * behind them. */
static void lay_out(packet_t packet, uint16_t headroom, uint16_t length)
{
    for (packet_t number = packet; number != PACKET_NONE; number = block_of(number)->next) {
        struct packet_block *block = block_of(number);
        uint8_t begin = begin_in(packet, number);
        uint8_t room = (uint8_t)(BLOCK_END - begin);
        if (headroom >= room) {
            headroom = (uint16_t)(headroom - room);
            block_empty(block);
            continue;
        }
        block->begin = (uint8_t)(begin + headroom);
        room = (uint8_t)(room - headroom);
        headroom = 0;
        block->end = (uint8_t)(block->begin + (length < room ? length : room));
        length = (uint16_t)(length - block_held(block));
    }
}

static void begin_packet(packet_t packet, const char *owner, uint16_t length)
{
    struct packet_first *first = first_of(packet);
    first->owner = owner;
    first->length = length;
    first->attributes = (struct packet_attributes){0};
    *references_of(packet) = 1;
}

static int alloc(packet_t *packet, const char *owner, uint16_t headroom, uint16_t length,
                 enum packet_purpose purpose)
{
    uint16_t bytes = (uint16_t)(headroom + length);
    if (bytes < length) {
        bytes = UINT16_MAX; /* more than any pool has */
    }
    uint16_t more = bytes > PACKET_FIRST_BYTES ? (uint16_t)(bytes - PACKET_FIRST_BYTES) : 0;
    packet_t first = blocks_take((uint16_t)(1u + blocks_for(more)), purpose);
    if (first == PACKET_NONE) {
        return ERR_FULL;
    }
    lay_out(first, headroom, length);
    begin_packet(first, owner, length);
    *packet = first;
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
    packet_check(packet);
    first_of(packet)->owner = owner;
}

struct packet_attributes *packet_attributes(packet_t packet)
{
    packet_check(packet);
    return &first_of(packet)->attributes;
}

uint16_t packet_length(packet_t packet)
{
    packet_check(packet);
    return first_of(packet)->length;
}

static void copy_all(packet_t to, packet_t from)
{
    uint16_t offset = 0;
    for (; from != PACKET_NONE; from = block_of(from)->next) {
        struct packet_block *block = block_of(from);
        packet_write(to, offset, block_bytes(block), block_held(block));
        offset = (uint16_t)(offset + block_held(block));
    }
}

int packet_unshare(packet_t *packet)
{
    packet_t original = *packet, copy;
    packet_check(original);
    if (*references_of(original) == 1) {
        return 0;
    }
    struct packet_first *first = first_of(original);
    int error =
        alloc(&copy, first->owner, packet_front(original).room, first->length, PACKET_TO_CHANGE);
    if (error != 0) {
        return error;
    }
    first_of(copy)->attributes = first->attributes;
    copy_all(copy, original);
    packet_free(original);
    *packet = copy;
    return 0;
}
