/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Packets with several references, and copies of them. In a program without, and without chains,
 * each packet is its owner's alone, and its bytes are in one block. */
#include <lichen/kernel.h>

#include "net/packet/block.h"

#pragma weak packet_chain_headroom

static void refer(void *packet_)
{
    uint8_t *references = &packet_references[(packet_t)(uintptr_t)packet_ - 1u];
    assert(*references < PACKET_REFERENCES_MAX);
    ++*references;
}

/* Checked here as well as there, so that the record of a panic names the caller. */
void packet_ref(packet_t packet)
{
    (void)packet_get(packet);
    kernel_do(refer, (void *)(uintptr_t)packet);
}

static uint16_t headroom_of(struct packet_block *first)
{
    return block_is_packet(first) ? (uint16_t)(first->begin - BLOCK_BEGIN)
                                  : packet_chain_headroom(first);
}

int packet_unshare(packet_t *packet)
{
    packet_t original = *packet, copy;
    struct packet_block *first = packet_get(original);
    uint16_t length = block_length(first);
    if (packet_references[original - 1u] == 1 &&
        (length > block_room() || packet_flat(original) != 0)) {
        return 0;
    }
    int error = packet_alloc_for(&copy, first->owner, headroom_of(first), length, PACKET_TO_CHANGE);
    if (error != 0) {
        return error;
    }
    block_copy_attributes(copy, original);
    uint16_t offset = 0;
    struct packet_piece piece;
    while (packet_gather(original, offset, &piece, 1) != 0) {
        packet_write(copy, offset, piece.bytes, piece.length);
        offset = (uint16_t)(offset + piece.length);
    }
    packet_free(original);
    *packet = copy;
    return 0;
}
