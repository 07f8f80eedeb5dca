/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Packets that are longer than a block. Linked by PACKET_CHAINS; without it each packet is one
 * block, and what would need a second one is refused. */
#include "net/packet/block.h"

__asm__(".global packet_unshare"); /* a frame's bytes are in one block */

/* -------- places */

/* A byte of a packet. At the boundary of two blocks it is the end of the first one. */
struct place {
    struct packet_block *block;
    uint8_t *byte;
    uint_fast8_t left; /* bytes of the block from there on */
};

/* Where the byte at an offset is, or would be appended. */
static struct place place_of(struct packet_block *block, unsigned offset)
{
    while (offset > block_held(block)) {
        offset -= block_held(block);
        block = packet_block_of(block->next);
    }
    return (struct place){block, block_bytes(block) + offset,
                          (uint_fast8_t)(block_held(block) - offset)};
}

static void go_on(struct place *place)
{
    place->block = packet_block_of(place->block->next);
    place->byte = block_bytes(place->block);
    place->left = block_held(place->block);
}

/* The front block, and the room in front of the packet. */
struct front {
    struct packet_block *block;
    unsigned room;
};

static struct front front_of(struct packet_block *first)
{
    struct front front = {.block = first, .room = 0};
    while (block_held(front.block) == 0 && front.block->next != PACKET_NONE) {
        front.room += block_room();
        front.block = packet_block_of(front.block->next);
    }
    front.room += (uint_fast8_t)(front.block->begin - BLOCK_BEGIN);
    return front;
}

uint16_t packet_chain_length(const struct packet_block *block)
{
    unsigned length = block_held(block);
    while (block->next != PACKET_NONE) {
        block = packet_block_of(block->next);
        length += block_held(block);
    }
    return (uint16_t)length;
}

uint16_t packet_chain_headroom(struct packet_block *first)
{
    return (uint16_t)front_of(first).room;
}

uint8_t *packet_chain_flat(struct packet_block *first)
{
    struct packet_block *front = front_of(first).block;
    return block_is_packet(front) ? block_bytes(front) : 0;
}

/* -------- new ones */

/* Where bytes lie in new blocks: room for headers in front, then the bytes; what is left is room
 * behind them. */
static void lay_out(struct packet_block *block, unsigned headroom, unsigned length)
{
    for (; headroom >= block_room() && block->next != PACKET_NONE; headroom -= block_room()) {
        block_empty(block);
        block = packet_block_of(block->next);
    }
    for (uint_fast8_t begin = (uint_fast8_t)(BLOCK_BEGIN + headroom);; begin = BLOCK_BEGIN) {
        uint_fast8_t held = (uint_fast8_t)(block_end() - begin);
        if (length < held) {
            held = (uint_fast8_t)length;
        }
        block->begin = (uint8_t)begin;
        block->end = (uint8_t)(begin + held);
        length -= held;
        if (block->next == PACKET_NONE) {
            return;
        }
        block = packet_block_of(block->next);
    }
}

packet_t packet_chain_take(unsigned headroom, unsigned length, enum packet_purpose purpose)
{
    uint16_t bytes = (uint16_t)(headroom + length);
    if (bytes < length) {
        bytes = UINT16_MAX; /* more than any pool has */
    }
    packet_t first = packet_blocks_take(packet_blocks_for(bytes), purpose);
    if (first != PACKET_NONE) {
        lay_out(packet_block_of(first), headroom, length);
    }
    return first;
}

/* -------- longer ones */

/* Puts new blocks behind the packet's first one, and the bytes of that one at the end of the last
 * new one: the first block, which stays where it is, is room in front of them then. */
static void insert(struct packet_block *first, packet_t blocks)
{
    struct packet_block *block = packet_block_of(blocks);
    for (block_empty(block); block->next != PACKET_NONE; block_empty(block)) {
        block = packet_block_of(block->next);
    }
    block->next = first->next;
    first->next = blocks;
    uint_fast8_t held = block_held(first);
    block->begin = (uint8_t)(block_end() - held);
    packet_bytes_copy(block_bytes(block), block_bytes(first), held);
    block_empty(first);
}

/* Makes all room in front of the packet part of it, but for what is left over. */
static void claim(struct packet_block *block, struct packet_block *front, unsigned left_over)
{
    for (; left_over >= block_room() && block != front; left_over -= block_room()) {
        block = packet_block_of(block->next);
    }
    for (; block != front; left_over = 0) {
        block->begin = (uint8_t)(BLOCK_BEGIN + left_over);
        block = packet_block_of(block->next);
    }
    block->begin = (uint8_t)(BLOCK_BEGIN + left_over);
}

/* Puts blocks with room for so many bytes in front of a packet.
 * returns   false: there are not as many */
static bool put_in_front(struct packet_block *first, unsigned length)
{
    packet_t blocks = packet_blocks_take(packet_blocks_for(length), PACKET_TO_CHANGE);
    if (blocks != PACKET_NONE) {
        insert(first, blocks);
    }
    return blocks != PACKET_NONE;
}

int packet_chain_prepend(struct packet_block *first, unsigned length)
{
    unsigned room = front_of(first).room;
    if (length > room && !put_in_front(first, length - room)) {
        return ERR_FULL;
    }
    struct front front = front_of(first);
    claim(first, front.block, front.room - length);
    return 0;
}

/* Lets so many bytes more lie in a block and those behind it. */
static void extend(struct packet_block *block, unsigned length)
{
    for (;;) {
        uint_fast8_t added = (uint_fast8_t)(block_end() - block->end);
        if (length < added) {
            added = (uint_fast8_t)length;
        }
        block->end = (uint8_t)(block->end + added);
        length -= added;
        if (length == 0) {
            return;
        }
        block = packet_block_of(block->next);
        block->begin = block->end = BLOCK_BEGIN;
    }
}

static struct packet_block *last_of(struct packet_block *block)
{
    while (block->next != PACKET_NONE) {
        block = packet_block_of(block->next);
    }
    return block;
}

int packet_chain_append(struct packet_block *first, unsigned length)
{
    struct packet_block *last = last_of(first);
    uint_fast8_t room = (uint_fast8_t)(block_end() - last->end);
    if (length > room) {
        last->next = packet_blocks_take(packet_blocks_for(length - room), PACKET_TO_CHANGE);
        if (last->next == PACKET_NONE) {
            return ERR_FULL;
        }
    }
    extend(last, length);
    return 0;
}

/* -------- shorter ones */

/* Removes the blocks without bytes that follow a block, and frees them. */
static void drop_empty_behind(struct packet_block *block)
{
    packet_t dropped = block->next;
    struct packet_block *last = block;
    while (last->next != PACKET_NONE && block_held(packet_block_of(last->next)) == 0) {
        last = packet_block_of(last->next);
    }
    if (last != block) {
        block->next = last->next;
        last->next = PACKET_NONE;
        packet_blocks_give(dropped);
    }
}

void packet_chain_trim_front(struct packet_block *first, unsigned length)
{
    struct packet_block *block = first;
    unsigned left = length;
    while (left > 0 && left >= block_held(block)) {
        left -= block_held(block);
        block_empty(block);
        if (left > 0) {
            block = packet_block_of(block->next);
        }
    }
    block->begin = (uint8_t)(block->begin + left);
    if (length > 0 && block_held(first) == 0) {
        drop_empty_behind(first);
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

void packet_chain_trim_back(struct packet_block *first, unsigned length)
{
    if (length > 0) { /* else an empty packet would lose the room in front of it */
        struct place end = place_of(first, block_length(first) - length);
        packet_blocks_give(cut(&end));
    }
}

/* -------- two, and one */

/* The second packet begins with the rest of a block, at the end of a block of its own, so that
 * there is room in front. */
int packet_split(packet_t packet, uint16_t offset, packet_t *rest)
{
    struct packet_block *first = packet_get_sole(packet);
    assert(offset <= block_length(first));
    struct place place = place_of(first, offset);
    packet_t new = packet_blocks_take(1, PACKET_TO_CHANGE);
    if (new == PACKET_NONE) {
        return ERR_FULL;
    }
    struct packet_block *second = packet_block_of(new);
    block_empty(second);
    second->begin = (uint8_t)(second->begin - place.left);
    packet_bytes_copy(block_bytes(second), place.byte, place.left);
    second->next = cut(&place);
    second->owner = first->owner;
    block_copy_attributes(new, packet);
    packet_references[new - 1u] = 1;
    *rest = new;
    return 0;
}

/* The first block of the second packet becomes one like the others. */
void packet_join(packet_t packet, packet_t behind)
{
    struct packet_block *first = packet_get_sole(packet), *second = packet_get_sole(behind);
    assert(first != second);
    struct packet_block *last = last_of(first);
    if (block_held(last) == 0) {
        block_empty(last);
    }
    last->next = behind;
    packet_references[behind - 1u] = PACKET_CONTINUES;
    drop_empty_behind(last);
}

/* -------- bytes */

void packet_chain_copy(struct packet_block *first, unsigned offset, uint8_t *bytes, unsigned length,
                       bool out)
{
    struct place place = place_of(first, offset);
    for (;;) {
        uint_fast8_t now = length < place.left ? (uint_fast8_t)length : place.left;
        packet_bytes_copy(out ? bytes : place.byte, out ? place.byte : bytes, now);
        bytes += now;
        length -= now;
        if (length == 0) {
            return;
        }
        go_on(&place);
    }
}

uint8_t packet_chain_gather(struct packet_block *first, unsigned offset,
                            struct packet_piece *pieces, uint8_t most)
{
    struct place place = place_of(first, offset);
    uint8_t count = 0;
    while (count < most) {
        if (place.left > 0) {
            pieces[count].bytes = place.byte;
            pieces[count].length = (uint8_t)place.left;
            count++;
        }
        if (place.block->next == PACKET_NONE) {
            break;
        }
        go_on(&place);
    }
    return count;
}

void packet_chain_cursor(struct packet_cursor *cursor, struct packet_block *first, unsigned offset)
{
    struct place place = place_of(first, offset);
    cursor->at = place.byte;
    cursor->end = place.byte + place.left;
    cursor->after = (uint16_t)(block_length(first) - offset - place.left);
    cursor->next = place.block->next;
}

void packet_chain_go_on(struct packet_cursor *cursor)
{
    while (cursor->at == cursor->end) {
        struct packet_block *block = packet_block_of(cursor->next);
        uint_fast8_t length = block_held(block);
        if (cursor->after < length) {
            length = (uint_fast8_t)cursor->after;
        }
        cursor->at = block_bytes(block);
        cursor->end = cursor->at + length;
        cursor->after = (uint16_t)(cursor->after - length);
        cursor->next = block->next;
    }
}
