/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Packets that become longer: in their block, as long as that has room. */
#include "net/packet/block.h"

#pragma weak packet_chain_prepend
#pragma weak packet_chain_append

/* Whether a packet is one block, which has room for so many bytes more. */
static bool has_room(const struct packet_block *first, unsigned length)
{
    return block_is_packet(first) && length <= (uint_fast8_t)(block_room() - block_held(first));
}

/* Moves the bytes of a block within it. */
static void slide(struct packet_block *block, uint_fast8_t begin)
{
    uint8_t *from = block_bytes(block), *to = (uint8_t *)block + begin;
    uint_fast8_t held = block_held(block);
    block->begin = (uint8_t)begin;
    block->end = (uint8_t)(begin + held);
    if (to < from) {
        packet_bytes_copy(to, from, held);
        return;
    }
    while (held > 0) {
        held--;
        to[held] = from[held];
    }
}

static int grow_in_front(struct packet_block *first, unsigned length)
{
    if (!has_room(first, length)) {
        return packet_chain_prepend == 0 ? ERR_FULL : packet_chain_prepend(first, length);
    }
    if (length > (uint_fast8_t)(first->begin - BLOCK_BEGIN)) {
        slide(first, (uint_fast8_t)(BLOCK_BEGIN + length));
    }
    first->begin = (uint8_t)(first->begin - length);
    return 0;
}

static int grow_behind(struct packet_block *first, unsigned length)
{
    if (!has_room(first, length)) {
        return packet_chain_append == 0 ? ERR_FULL : packet_chain_append(first, length);
    }
    if (length > (uint_fast8_t)(block_end() - first->end)) {
        slide(first, (uint_fast8_t)(block_end() - length - block_held(first)));
    }
    first->end = (uint8_t)(first->end + length);
    return 0;
}

int packet_prepend(packet_t packet, const void *bytes, uint16_t length)
{
    int error = grow_in_front(packet_get_sole(packet), length);
    if (error == 0 && bytes != 0) {
        packet_write(packet, 0, bytes, length);
    }
    return error;
}

int packet_append(packet_t packet, const void *bytes, uint16_t length)
{
    int error = grow_behind(packet_get_sole(packet), length);
    if (error == 0 && bytes != 0) {
        packet_write(packet, (uint16_t)(packet_length(packet) - length), bytes, length);
    }
    return error;
}
