/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Packets that become shorter, and packets that become two, or one. */
#include "net/packet/block.h"

/* Removes the blocks without bytes that follow a block, and frees them. */
static void drop_empty_behind(struct packet_block *block)
{
    packet_t dropped = block->next;
    struct packet_block *last = block;
    while (last->next != PACKET_NONE && block_held(block_of(last->next)) == 0) {
        last = block_of(last->next);
    }
    if (last != block) {
        block->next = last->next;
        last->next = PACKET_NONE;
        packet_blocks_give(dropped);
    }
}

void packet_trim_front(packet_t packet, uint16_t length)
{
    struct packet_first *first = packet_get_sole(packet);
    struct packet_block *block = &first->block;
    assert(length <= first->length);
    first->length = (uint16_t)(first->length - length);
    unsigned left = length;
    while (left > 0 && left >= block_held(block)) {
        left -= block_held(block);
        block_empty(block);
        if (left > 0) {
            block = block_of(block->next);
        }
    }
    block->begin = (uint8_t)(block->begin + left);
    if (length > 0 && block_held(&first->block) == 0) {
        drop_empty_behind(&first->block);
    }
}

/* Ends a chain at a place.
 * returns   the blocks behind it */
static packet_t cut(const struct place *place)
{
    struct packet_block *block = place->block;
    packet_t behind = block->next;
    block->next = PACKET_NONE;
    block->end = (uint8_t)(block->end - place->left);
    return behind;
}

void packet_trim_back(packet_t packet, uint16_t length)
{
    struct packet_first *first = packet_get_sole(packet);
    assert(length <= first->length);
    if (length > 0) { /* else an empty packet would lose the room in front of it */
        first->length = (uint16_t)(first->length - length);
        struct place end = packet_place(first, first->length);
        packet_blocks_give(cut(&end));
    }
}

/* The second packet begins with the rest of a block, in a first block of its own or, where that has
 * no room for it, in one that follows; at its end, so that there is room in front. */
int packet_split(packet_t packet, uint16_t offset, packet_t *rest)
{
    struct packet_first *first = packet_get_sole(packet);
    assert(offset <= first->length);
    struct place place = packet_place(first, offset);
    packet_t new = packet_blocks_take(place.left > PACKET_FIRST_BYTES ? 2 : 1, PACKET_TO_CHANGE);
    if (new == PACKET_NONE) {
        return ERR_FULL;
    }
    struct packet_first *second = &packet_blocks[new - 1u].first;
    struct packet_block *block = &second->block;
    block_empty(block);
    if (block->next != PACKET_NONE) {
        block = block_of(block->next);
        block_empty(block);
    }
    block->begin = (uint8_t)(block->begin - place.left);
    packet_bytes_copy(block_bytes(block), place.byte, place.left);
    block->next = cut(&place);
    second->owner = first->owner;
    second->attributes = first->attributes;
    second->length = (uint16_t)(first->length - offset);
    first->length = offset;
    packet_references[new - 1u] = 1;
    *rest = new;
    return 0;
}

/* The first block of the second packet becomes one like the others. */
void packet_join(packet_t packet, packet_t behind)
{
    struct packet_first *first = packet_get_sole(packet), *second = packet_get_sole(behind);
    assert(first != second);
    first->length = (uint16_t)(first->length + second->length);
    struct packet_block *last = packet_last(first);
    if (block_held(last) == 0) {
        block_empty(last);
    }
    last->next = behind;
    packet_references[behind - 1u] = PACKET_CONTINUES;
    drop_empty_behind(last);
}
