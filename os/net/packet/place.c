/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Ways along a packet's chain. */
#include "net/packet/block.h"

struct place packet_place(packet_t packet, uint16_t offset)
{
    struct place place = {.block = block_of(packet), .number = packet};
    while (offset > block_held(place.block)) {
        offset = (uint16_t)(offset - block_held(place.block));
        place.number = place.block->next;
        place.block = block_of(place.number);
    }
    place.offset = (uint8_t)offset;
    return place;
}

packet_t packet_last(packet_t packet)
{
    packet_t next;
    while ((next = block_of(packet)->next) != PACKET_NONE) {
        packet = next;
    }
    return packet;
}

struct front packet_front(packet_t packet)
{
    struct front front = {.number = packet, .room = 0};
    for (;;) {
        struct packet_block *block = block_of(front.number);
        uint8_t begin = begin_in(packet, front.number);
        if (block_held(block) != 0 || block->next == PACKET_NONE) {
            front.room = (uint16_t)(front.room + block->begin - begin);
            return front;
        }
        front.room = (uint16_t)(front.room + BLOCK_END - begin);
        front.number = block->next;
    }
}

/* Shorter than memcpy for the few bytes that a block has. */
void bytes_copy(void *to_, const void *from_, uint8_t length)
{
    uint8_t *to = to_;
    const uint8_t *from = from_;
    for (; length > 0; length--) {
        *to++ = *from++;
    }
}
