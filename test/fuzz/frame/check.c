/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What must hold for any bytes. They lie in memory of exactly their length, so that the sanitizer
 * sees a reading beyond them, and in a packet, at any byte of a block.
 */
#include <stdlib.h>
#include <string.h>

#include "frame.h"

/* Packets are allocated one at a time. */
PACKET_POOL(12);

unsigned long results[FRAME_REFUSALS];

static uint8_t *copy_of(const uint8_t *bytes, size_t length)
{
    uint8_t *copy = malloc(length + (length == 0));
    require(copy != 0);
    memcpy(copy, bytes, length);
    return copy;
}

static void require_same_address(const struct frame_address *a, const struct frame_address *b)
{
    size_t length = a->mode == FRAME_ADDRESS_EXTENDED ? 8 : a->mode == FRAME_ADDRESS_SHORT ? 2 : 0;
    require(a->mode == b->mode && a->has_pan == b->has_pan && a->pan == b->pan);
    require(memcmp(a->bytes, b->bytes, length) == 0);
}

static void require_same_security(const struct frame_security *a, const struct frame_security *b)
{
    static const uint8_t source_bytes[] = {0, 0, 4, 8};
    require(a->level == b->level && a->key_mode == b->key_mode && a->key_index == b->key_index);
    require(a->counter_suppressed == b->counter_suppressed && a->asn_in_nonce == b->asn_in_nonce);
    require(a->counter == b->counter);
    require(memcmp(a->key_source, b->key_source, source_bytes[a->key_mode]) == 0);
}

/* The fields that bytes of the header stand for. */
static void require_same_header(const struct frame *a, const struct frame *b)
{
    require(a->type == b->type && a->version == b->version && a->pending == b->pending);
    require(a->ack_request == b->ack_request && a->pan_compression == b->pan_compression);
    require(a->has_sequence == b->has_sequence && a->sequence == b->sequence);
    require(a->has_security == b->has_security && a->has_ies == b->has_ies);
    require_same_address(&a->destination, &b->destination);
    require_same_address(&a->source, &b->source);
    if (a->has_security) {
        require_same_security(&a->security, &b->security);
    }
}

static void require_same_parts(const struct frame *a, const struct frame *b)
{
    require(a->header_length == b->header_length && a->header_ies_length == b->header_ies_length);
    require(a->payload_ies_follow == b->payload_ies_follow);
    require(a->payload_ies_length == b->payload_ies_length);
    require(a->payload_length == b->payload_length && a->mic_length == b->mic_length);
}

static void require_parts(const struct frame *frame, const struct packet_cursor *cursor,
                          size_t length)
{
    require((size_t)frame->header_length + frame->payload_ies_length + frame->payload_length +
                frame->mic_length ==
            length);
    require(frame->header_ies_length <= frame->header_length);
    require(packet_cursor_left(cursor) == frame->payload_length && !cursor->overrun);
}

/* -------- the same in a packet */

static void check_packet(const uint8_t *bytes, size_t length, enum frame_refusal refusal,
                         const struct frame *flat)
{
    struct frame frame;
    struct packet_cursor cursor;
    packet_t packet;
    uint16_t headroom = length == 0 ? 0 : (uint16_t)(bytes[length - 1] * 7u % 200u);
    require(packet_alloc(&packet, "fuzz", headroom, (uint16_t)length) == 0);
    packet_write(packet, 0, bytes, (uint16_t)length);
    packet_cursor(&cursor, packet, 0);
    require(frame_parse(&frame, &cursor) == refusal);
    if (refusal == FRAME_GOOD) {
        require_same_header(&frame, flat);
        require_same_parts(&frame, flat);
        require_parts(&frame, &cursor, length);
        (void)frame_skip_payload_ies(&cursor);
    }
    require(fcs_of_packet(packet, (uint16_t)length) == fcs_of(FCS_BEGIN, bytes, (uint16_t)length));
    packet_free(packet);
}

/* -------- built again */

/* Clears what the version reserves. */
static void clear_reserved(uint8_t *header, const struct frame *frame)
{
    header[0] &= 0x7f;
    if (frame->version != FRAME_2015) {
        header[1] &= 0xfc;
    }
}

static uint8_t security_control_at(const struct frame *frame, uint8_t length)
{
    static const uint8_t source_bytes[] = {0, 0, 4, 8};
    const struct frame_security *security = &frame->security;
    return (uint8_t)(length - 1 - (security->counter_suppressed ? 0 : 4) -
                     source_bytes[security->key_mode] - (security->key_mode != 0));
}

/* A header is what is built of it, but for bits that are reserved; and no part of it is a header.
 */
static void check_round_trip(const uint8_t *bytes, const struct frame *frame)
{
    uint8_t built[FRAME_HEADER_MAX], length, *header;
    struct packet_cursor cursor;
    struct frame again;
    require(frame_build(frame, built, &length) == FRAME_GOOD);
    require(length == frame->header_length - frame->header_ies_length);
    header = copy_of(bytes, length);
    clear_reserved(header, frame);
    if (frame->has_security) {
        uint8_t *control = &header[security_control_at(frame, length)];
        *control &= frame->version == FRAME_2015 ? 0x7f : 0x1f;
    }
    require(memcmp(header, built, length) == 0);
    for (uint8_t end = 0; end < length; end++) {
        packet_cursor_flat(&cursor, built, end);
        require(frame_parse(&again, &cursor) == FRAME_TOO_SHORT);
    }
    free(header);
}

/* PAN IDs that the sender need not state are left out, and understood. */
static void check_compression(const struct frame *frame)
{
    struct frame compressed = *frame, read;
    uint8_t built[FRAME_HEADER_MAX], length;
    struct packet_cursor cursor;
    if (compressed.type == FRAME_ACK || frame_compress(&compressed) != FRAME_GOOD) {
        return;
    }
    compressed.has_security = compressed.has_ies = false;
    require(frame_build(&compressed, built, &length) == FRAME_GOOD);
    packet_cursor_flat(&cursor, built, length);
    require(frame_parse(&read, &cursor) == FRAME_GOOD);
    if (frame->destination.mode != FRAME_ADDRESS_NONE) {
        require(read.destination.pan == frame->destination.pan);
    }
    if (frame->source.mode != FRAME_ADDRESS_NONE) {
        require(read.source.pan == frame->source.pan);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct frame frame;
    struct packet_cursor cursor;
    if (length > 200) {
        length = 200;
    }
    uint8_t *copy = copy_of(bytes, length);
    packet_cursor_flat(&cursor, copy, (uint16_t)length);
    enum frame_refusal refusal = frame_parse(&frame, &cursor);
    require(refusal < FRAME_REFUSALS);
    results[refusal]++;
    require(length <= FRAME_BYTES_MAX || refusal == FRAME_TOO_LONG);
    if (refusal == FRAME_GOOD) {
        require_parts(&frame, &cursor, length);
        (void)frame_skip_payload_ies(&cursor);
        check_round_trip(copy, &frame);
        check_compression(&frame);
    }
    check_packet(copy, length, refusal, &frame);
    free(copy);
    return 0;
}
