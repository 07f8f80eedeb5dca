/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Ways along a packet's chain. */
#include "net/packet/block.h"

struct place packet_place(struct packet_first *first, unsigned offset)
{
    struct packet_block *block = &first->block;
    while (offset > block_held(block)) {
        offset -= block_held(block);
        block = block_of(block->next);
    }
    return (struct place){block, block_bytes(block) + offset,
                          (uint_fast8_t)(block_held(block) - offset)};
}

struct front packet_front(struct packet_first *first)
{
    struct front front = {.block = &first->block, .room = 0};
    uint_fast8_t begin = FIRST_BEGIN;
    while (block_held(front.block) == 0 && front.block->next != PACKET_NONE) {
        front.room += (unsigned)BLOCK_END - begin;
        front.block = block_of(front.block->next);
        begin = OTHER_BEGIN;
    }
    front.room += (uint_fast8_t)(front.block->begin - begin);
    return front;
}

struct packet_block *packet_last(struct packet_first *first)
{
    struct packet_block *block = &first->block;
    while (block->next != PACKET_NONE) {
        block = block_of(block->next);
    }
    return block;
}

/* Shorter than memcpy for the few bytes that a block has. */
void packet_bytes_copy(uint8_t *to, const uint8_t *from, uint_fast8_t length)
{
    if (length == 0) {
        return;
    }
    do {
        *to++ = *from++;
    } while (--length != 0);
}
