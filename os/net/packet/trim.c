/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Packets that become shorter, and packets that become two, or one. */
#include "net/packet/block.h"

/* Removes bytes from the front of a block. Returns how many. */
static uint8_t shorten(struct packet_block *block, uint16_t length)
{
    uint8_t held = block_held(block);
    if (length < held) {
        block->begin = (uint8_t)(block->begin + length);
        return (uint8_t)length;
    }
    block_empty(block);
    return held;
}

/* Takes blocks without bytes out of a chain, from behind a block on, and frees them. */
static void drop_empty_behind(struct packet_block *block)
{
    packet_t dropped = block->next, next = dropped;
    struct packet_block *last = 0;
    while (next != PACKET_NONE && block_held(block_of(next)) == 0) {
        last = block_of(next);
        next = last->next;
    }
    if (last != 0) {
        last->next = PACKET_NONE;
        block->next = next;
        blocks_give(dropped);
    }
}

void packet_trim_front(packet_t packet, uint16_t length)
{
    packet_check_sole(packet);
    struct packet_first *first = first_of(packet);
    assert(length <= first->length);
    if (length == 0) {
        return;
    }
    first->length = (uint16_t)(first->length - length);
    struct packet_block *block = &first->block;
    for (;;) {
        length = (uint16_t)(length - shorten(block, length));
        if (length == 0) {
            break;
        }
        block = block_of(block->next);
    }
    if (block_held(&first->block) == 0) {
        drop_empty_behind(&first->block);
    }
}

void packet_trim_back(packet_t packet, uint16_t length)
{
    packet_check_sole(packet);
    struct packet_first *first = first_of(packet);
    assert(length <= first->length);
    if (length == 0) {
        return; /* an empty packet keeps the room in front of it */
    }
    first->length = (uint16_t)(first->length - length);
    struct place end = packet_place(packet, first->length);
    end.block->end = (uint8_t)(end.block->begin + end.offset);
    packet_t behind = end.block->next;
    end.block->next = PACKET_NONE;
    blocks_give(behind);
}

/* Bytes at the end of a block, so that there is room in front of them. */
static void put_at_end(struct packet_block *block, const uint8_t *bytes, uint8_t length)
{
    block->end = BLOCK_END;
    block->begin = (uint8_t)(BLOCK_END - length);
    bytes_copy(block_bytes(block), bytes, length);
}

/* The second packet begins with the rest of a block, in a first block of its own or, where that has
 * no room for it, in one that follows. */
int packet_split(packet_t packet, uint16_t offset, packet_t *rest)
{
    packet_check_sole(packet);
    struct packet_first *first = first_of(packet);
    assert(offset <= first->length);
    struct place cut = packet_place(packet, offset);
    uint8_t *bytes = block_bytes(cut.block) + cut.offset;
    uint8_t length = (uint8_t)(block_held(cut.block) - cut.offset);
    packet_t second = blocks_take(length > PACKET_FIRST_BYTES ? 2 : 1, PACKET_TO_CHANGE);
    if (second == PACKET_NONE) {
        return ERR_FULL;
    }
    struct packet_block *block = block_of(second);
    if (block->next != PACKET_NONE) {
        block_empty(block);
        block = block_of(block->next);
    }
    put_at_end(block, bytes, length);
    block->next = cut.block->next;
    cut.block->next = PACKET_NONE;
    cut.block->end = (uint8_t)(cut.block->begin + cut.offset);
    struct packet_first *its = first_of(second);
    its->owner = first->owner;
    its->attributes = first->attributes;
    its->length = (uint16_t)(first->length - offset);
    first->length = offset;
    *references_of(second) = 1;
    *rest = second;
    return 0;
}

/* The first block of the second packet becomes one like the others. */
void packet_join(packet_t packet, packet_t behind)
{
    packet_check_sole(packet);
    packet_check_sole(behind);
    assert(packet != behind);
    struct packet_first *first = first_of(packet), *second = first_of(behind);
    first->length = (uint16_t)(first->length + second->length);
    struct packet_block *last = block_of(packet_last(packet));
    if (block_held(last) == 0) {
        block_empty(last);
    }
    last->next = behind;
    *references_of(behind) = PACKET_CONTINUES;
    drop_empty_behind(last);
}
