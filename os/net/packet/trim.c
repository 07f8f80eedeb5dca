/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Packets that become shorter. */
#include "net/packet/block.h"

#pragma weak packet_chain_trim_front
#pragma weak packet_chain_trim_back

void packet_trim_front(packet_t packet, uint16_t length)
{
    struct packet_block *first = packet_get_sole(packet);
    assert(length <= block_length(first));
    if (block_is_packet(first)) {
        first->begin = (uint8_t)(first->begin + length);
    } else {
        packet_chain_trim_front(first, length);
    }
}

void packet_trim_back(packet_t packet, uint16_t length)
{
    struct packet_block *first = packet_get_sole(packet);
    assert(length <= block_length(first));
    if (block_is_packet(first)) {
        first->end = (uint8_t)(first->end - length);
    } else {
        packet_chain_trim_back(first, length);
    }
}
