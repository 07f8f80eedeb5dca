/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "net/packet/block.h"

#pragma weak packet_chain_cursor
#pragma weak packet_chain_go_on

void packet_cursor(struct packet_cursor *cursor, packet_t packet, uint16_t offset)
{
    struct packet_block *first = packet_get(packet);
    assert(offset <= block_length(first));
    if (block_is_packet(first)) {
        packet_cursor_flat(cursor, block_bytes(first) + offset,
                           (uint16_t)(block_held(first) - offset));
    } else {
        packet_chain_cursor(cursor, first, offset);
        cursor->overrun = false;
    }
}

void packet_cursor_flat(struct packet_cursor *cursor, const void *bytes, uint16_t length)
{
    cursor->at = bytes;
    cursor->end = cursor->at + length;
    cursor->after = 0;
    cursor->next = PACKET_NONE;
    cursor->overrun = false;
}

static unsigned in_piece(const struct packet_cursor *cursor)
{
    return (unsigned)(cursor->end - cursor->at);
}

uint16_t packet_cursor_left(const struct packet_cursor *cursor)
{
    return (uint16_t)(in_piece(cursor) + cursor->after);
}

void packet_cursor_limit(struct packet_cursor *cursor, uint16_t length)
{
    unsigned here = in_piece(cursor);
    if (length <= here) {
        cursor->end = cursor->at + length;
        cursor->after = 0;
    } else if (length - here < cursor->after) {
        cursor->after = (uint16_t)(length - here);
    }
}

/* Whether there are so many bytes; if not, there are none from now on. */
static bool has(struct packet_cursor *cursor, unsigned length)
{
    if (length <= packet_cursor_left(cursor)) {
        return true;
    }
    cursor->at = cursor->end;
    cursor->after = 0;
    cursor->overrun = true;
    return false;
}

uint8_t packet_cursor_u8(struct packet_cursor *cursor)
{
    if (cursor->at == cursor->end) {
        if (cursor->after == 0) {
            cursor->overrun = true;
            return 0;
        }
        packet_chain_go_on(cursor);
    }
    return *cursor->at++;
}

uint16_t packet_cursor_le16(struct packet_cursor *cursor)
{
    if (!has(cursor, 2)) {
        return 0;
    }
    uint8_t low = packet_cursor_u8(cursor);
    return (uint16_t)(low | (uint16_t)packet_cursor_u8(cursor) << 8);
}

uint32_t packet_cursor_le32(struct packet_cursor *cursor)
{
    if (!has(cursor, 4)) {
        return 0;
    }
    uint16_t low = packet_cursor_le16(cursor);
    return low | (uint32_t)packet_cursor_le16(cursor) << 16;
}

uint16_t packet_cursor_be16(struct packet_cursor *cursor)
{
    uint16_t number = packet_cursor_le16(cursor);
    return (uint16_t)(number << 8 | number >> 8);
}

uint32_t packet_cursor_be32(struct packet_cursor *cursor)
{
    if (!has(cursor, 4)) {
        return 0;
    }
    uint16_t high = packet_cursor_be16(cursor);
    return (uint32_t)high << 16 | packet_cursor_be16(cursor);
}

void packet_cursor_bytes(struct packet_cursor *cursor, void *bytes, uint16_t length)
{
    uint8_t *to = bytes;
    (void)has(cursor, length);
    for (; length > 0; length--) {
        *to++ = packet_cursor_u8(cursor);
    }
}

void packet_cursor_skip(struct packet_cursor *cursor, uint16_t length)
{
    if (!has(cursor, length)) {
        return;
    }
    while (length > in_piece(cursor)) {
        length = (uint16_t)(length - in_piece(cursor));
        cursor->at = cursor->end;
        packet_chain_go_on(cursor);
    }
    cursor->at += length;
}
