/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The bytes of packets. */
#include "net/packet/block.h"

#pragma weak packet_chain_copy
#pragma weak packet_chain_gather

static void check_within(struct packet_block *first, uint16_t offset, uint16_t length)
{
    uint16_t whole = block_length(first);
    assert(offset <= whole);
    assert(length <= (uint16_t)(whole - offset));
}

void packet_write(packet_t packet, uint16_t offset, const void *bytes, uint16_t length)
{
    struct packet_block *first = packet_get_sole(packet);
    check_within(first, offset, length);
    if (block_is_packet(first)) {
        packet_bytes_copy(block_bytes(first) + offset, bytes, (uint_fast8_t)length);
    } else {
        packet_chain_copy(first, offset, (uint8_t *)(uintptr_t)bytes, length, false);
    }
}

void packet_read(packet_t packet, uint16_t offset, void *bytes, uint16_t length)
{
    struct packet_block *first = packet_get(packet);
    check_within(first, offset, length);
    if (block_is_packet(first)) {
        packet_bytes_copy(bytes, block_bytes(first) + offset, (uint_fast8_t)length);
    } else {
        packet_chain_copy(first, offset, bytes, length, true);
    }
}

uint8_t packet_gather(packet_t packet, uint16_t offset, struct packet_piece *pieces, uint8_t most)
{
    struct packet_block *first = packet_get(packet);
    check_within(first, offset, 0);
    if (!block_is_packet(first)) {
        return packet_chain_gather(first, offset, pieces, most);
    }
    pieces->bytes = block_bytes(first) + offset;
    pieces->length = (uint8_t)(block_held(first) - offset);
    return pieces->length != 0;
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
