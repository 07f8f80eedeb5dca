/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "net/packet/block.h"

#pragma weak packet_chain_take
#pragma weak packet_chain_flat

static void clear(struct packet_attributes *attributes)
{
    attributes->source = 0;
    attributes->type = 0;
    attributes->dbm = 0;
    attributes->lqi = 0;
    attributes->channel = 0;
    attributes->flags = 0;
}

static packet_t take_one(unsigned headroom, unsigned length, enum packet_purpose purpose)
{
    packet_t packet = packet_blocks_take(1, purpose);
    if (packet != PACKET_NONE) {
        struct packet_block *block = packet_block_of(packet);
        uint_fast8_t room = (uint_fast8_t)(block_room() - length);
        block->begin = (uint8_t)(BLOCK_BEGIN + (headroom < room ? headroom : room));
        block->end = (uint8_t)(block->begin + length);
    }
    return packet;
}

/* A packet that no pool has blocks for is refused like one for which there are none now. */
int packet_alloc_for(packet_t *packet, const char *owner, uint16_t headroom, uint16_t length,
                     enum packet_purpose purpose)
{
    packet_t new;
    if (length <= block_room()) {
        new = take_one(headroom, length, purpose);
    } else if (purpose != PACKET_TO_RECEIVE && packet_chain_take != 0) {
        new = packet_chain_take(headroom, length, purpose);
    } else {
        new = packet_blocks_take(UINT8_MAX + 1u, purpose);
    }
    if (new == PACKET_NONE) {
        return ERR_FULL;
    }
    struct packet_block *first = packet_block_of(new);
    first->owner = owner;
    clear(&first->attributes);
    if (packet_time_clear != 0) {
        packet_time_clear(new);
    }
    packet_references[new - 1u] = 1;
    *packet = new;
    return 0;
}

int packet_alloc(packet_t *packet, const char *owner, uint16_t headroom, uint16_t length)
{
    return packet_alloc_for(packet, owner, headroom, length, PACKET_TO_SEND);
}

int packet_alloc_receive(packet_t *packet, const char *owner, uint16_t length)
{
    return packet_alloc_for(packet, owner, 0, length, PACKET_TO_RECEIVE);
}

void packet_own(packet_t packet, const char *owner)
{
    packet_get(packet)->owner = owner;
}

struct packet_attributes *packet_attributes(packet_t packet)
{
    return &packet_get(packet)->attributes;
}

uint16_t packet_length(packet_t packet)
{
    return block_length(packet_get(packet));
}

uint8_t *packet_flat(packet_t packet)
{
    struct packet_block *first = packet_get(packet);
    return block_is_packet(first) ? block_bytes(first) : packet_chain_flat(first);
}
