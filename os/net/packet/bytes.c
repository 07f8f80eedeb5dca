/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The bytes of packets. */
#include "net/packet/block.h"

/* Asserts that bytes are within a packet. */
static void check_range(packet_t packet, uint16_t offset, uint16_t length)
{
    uint16_t whole = first_of(packet)->length;
    assert(offset <= whole);
    assert(length <= whole - offset);
}

/* How many of so many bytes lie one after the other at a place. */
static uint8_t at_once(const struct place *place, uint16_t length)
{
    uint8_t held = (uint8_t)(block_held(place->block) - place->offset);
    return length < held ? (uint8_t)length : held;
}

static uint8_t *at(const struct place *place)
{
    return block_bytes(place->block) + place->offset;
}

static void go_on(struct place *place)
{
    place->block = block_of(place->block->next);
    place->offset = 0;
}

void packet_write(packet_t packet, uint16_t offset, const void *bytes, uint16_t length)
{
    packet_check_sole(packet);
    check_range(packet, offset, length);
    const uint8_t *from = bytes;
    for (struct place place = packet_place(packet, offset);; go_on(&place)) {
        uint8_t now = at_once(&place, length);
        bytes_copy(at(&place), from, now);
        from += now;
        length = (uint16_t)(length - now);
        if (length == 0) {
            return;
        }
    }
}

void packet_read(packet_t packet, uint16_t offset, void *bytes, uint16_t length)
{
    packet_check(packet);
    check_range(packet, offset, length);
    uint8_t *to = bytes;
    for (struct place place = packet_place(packet, offset);; go_on(&place)) {
        uint8_t now = at_once(&place, length);
        bytes_copy(to, at(&place), now);
        to += now;
        length = (uint16_t)(length - now);
        if (length == 0) {
            return;
        }
    }
}

uint8_t packet_gather(packet_t packet, uint16_t offset, struct packet_piece *pieces, uint8_t most)
{
    packet_check(packet);
    check_range(packet, offset, 0);
    struct place place = packet_place(packet, offset);
    uint8_t count = 0;
    while (count < most) {
        uint8_t length = at_once(&place, UINT16_MAX);
        if (length > 0) {
            pieces[count].bytes = at(&place);
            pieces[count].length = length;
            count++;
        }
        if (place.block->next == PACKET_NONE) {
            break;
        }
        go_on(&place);
    }
    return count;
}
