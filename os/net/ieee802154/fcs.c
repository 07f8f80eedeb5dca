/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "net/ieee802154/fcs.h"

uint16_t fcs_of(uint16_t fcs, const void *bytes, uint16_t length)
{
    const uint8_t *at = bytes, *end = at + length;

    if (length > 0) {
        do {
            fcs = fcs_add(fcs, *at++);
        } while (at != end);
    }
    return fcs;
}

uint16_t fcs_of_packet(packet_t packet, uint16_t length)
{
    uint16_t fcs = FCS_BEGIN, offset = 0;
    struct packet_piece piece;

    while (offset < length && packet_gather(packet, offset, &piece, 1) != 0) {
        uint16_t left = (uint16_t)(length - offset);
        if (piece.length > left) {
            piece.length = (uint8_t)left;
        }
        fcs = fcs_of(fcs, piece.bytes, piece.length);
        offset = (uint16_t)(offset + piece.length);
    }
    return fcs;
}
