/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The bytes of packets. */
#include "net/packet/block.h"

/* The place of bytes that are within a packet. */
static struct place place_within(struct packet_first *first, uint16_t offset, uint16_t length)
{
    assert(offset <= first->length);
    assert(length <= first->length - offset);
    return packet_place(first, offset);
}

static void go_on(struct place *place)
{
    place->block = block_of(place->block->next);
    place->byte = block_bytes(place->block);
    place->left = block_held(place->block);
}

/* Copies bytes to a packet or, with `out`, from it. */
static void copy(struct place place, uint8_t *bytes, unsigned length, bool out)
{
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

void packet_write(packet_t packet, uint16_t offset, const void *bytes, uint16_t length)
{
    struct packet_first *first = packet_get_sole(packet);
    copy(place_within(first, offset, length), (uint8_t *)(uintptr_t)bytes, length, false);
}

void packet_read(packet_t packet, uint16_t offset, void *bytes, uint16_t length)
{
    struct packet_first *first = packet_get(packet);
    copy(place_within(first, offset, length), bytes, length, true);
}

uint8_t packet_gather(packet_t packet, uint16_t offset, struct packet_piece *pieces, uint8_t most)
{
    struct place place = place_within(packet_get(packet), offset, 0);
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
