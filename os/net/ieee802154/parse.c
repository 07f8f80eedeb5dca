/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Parsing. Each step reads all its bytes, and then one test of the cursor tells whether they were
 * there: what is read beyond the end is 0. */
#include "net/ieee802154/header.h"

static void read_control(struct frame *frame, struct packet_cursor *cursor)
{
    uint16_t control = packet_cursor_le16(cursor);
    frame->type = control & CONTROL_TYPE;
    frame->version = control >> CONTROL_VERSION_AT & CONTROL_FIELD;
    frame->pending = (control & CONTROL_PENDING) != 0;
    frame->ack_request = (control & CONTROL_ACK_REQUEST) != 0;
    frame->pan_compression = (control & CONTROL_COMPRESSION) != 0;
    frame->has_security = (control & CONTROL_SECURITY) != 0;
    frame->has_sequence = frame->version != FRAME_2015 || (control & CONTROL_NO_SEQUENCE) == 0;
    frame->has_ies = frame->version == FRAME_2015 && (control & CONTROL_IES) != 0;
    frame->destination.mode = control >> CONTROL_DESTINATION_AT & CONTROL_FIELD;
    frame->source.mode = control >> CONTROL_SOURCE_AT & CONTROL_FIELD;
}

static void read_address(struct frame_address *address, struct packet_cursor *cursor,
                         uint16_t otherwise)
{
    address->pan = address->has_pan ? packet_cursor_le16(cursor) : otherwise;
    packet_cursor_bytes(cursor, address->bytes, header_address_bytes(address->mode));
}

static enum frame_refusal read_addressing(struct frame *frame, struct packet_cursor *cursor)
{
    struct header_pans pans;
    enum frame_refusal refusal = header_choose_pans(frame, &pans);
    if (refusal != FRAME_GOOD) {
        return refusal;
    }
    frame->destination.has_pan = pans.destination;
    frame->source.has_pan = pans.source;
    frame->sequence = frame->has_sequence ? packet_cursor_u8(cursor) : 0;
    read_address(&frame->destination, cursor, UINT16_MAX);
    read_address(&frame->source, cursor, frame->destination.pan);
    return FRAME_GOOD;
}

/* Of the security control field, 2006 knows the level and the key mode only. */
static void read_security(struct frame *frame, struct packet_cursor *cursor)
{
    struct frame_security *security = &frame->security;
    uint8_t control = packet_cursor_u8(cursor);
    bool is_2015 = frame->version == FRAME_2015;
    security->level = control & SECURITY_LEVEL;
    security->key_mode = control >> SECURITY_KEY_MODE_AT & CONTROL_FIELD;
    security->counter_suppressed = is_2015 && (control & SECURITY_NO_COUNTER) != 0;
    security->asn_in_nonce = is_2015 && (control & SECURITY_ASN) != 0;
    security->counter = security->counter_suppressed ? 0 : packet_cursor_le32(cursor);
    packet_cursor_bytes(cursor, security->key_source, header_key_source_bytes(security->key_mode));
    security->key_index = security->key_mode != 0 ? packet_cursor_u8(cursor) : 0;
}

static uint8_t mic_bytes(uint8_t level)
{
    uint8_t length = level & 3u;
    return length == 0 ? 0 : (uint8_t)(2u << length);
}

/* Takes the MIC out of what the cursor can read. */
static enum frame_refusal leave_mic(struct frame *frame, struct packet_cursor *cursor)
{
    uint16_t left = packet_cursor_left(cursor);
    frame->mic_length = frame->has_security ? mic_bytes(frame->security.level) : 0;
    if (frame->mic_length > left) {
        return FRAME_NO_MIC;
    }
    packet_cursor_limit(cursor, (uint16_t)(left - frame->mic_length));
    return FRAME_GOOD;
}

/* -------- information elements, section 7.4 */

/* Bits 0 to 6 are the length, 7 to 14 the element, and 15 is 0. */
enum frame_refusal frame_header_ie(struct packet_cursor *cursor, struct frame_ie *ie)
{
    uint16_t descriptor = packet_cursor_le16(cursor);
    ie->length = descriptor & 0x7fu;
    ie->id = descriptor >> 7 & 0xffu;
    bool is_good =
        (descriptor & 0x8000u) == 0 && !cursor->overrun && ie->length <= packet_cursor_left(cursor);
    return is_good ? FRAME_GOOD : FRAME_BAD_HEADER_IE;
}

/* They end with a termination, which has no content, or with the frame. */
static enum frame_refusal skip_header_ies(struct frame *frame, struct packet_cursor *cursor)
{
    while (packet_cursor_left(cursor) > 0) {
        struct frame_ie ie;
        enum frame_refusal refusal = frame_header_ie(cursor, &ie);
        if (refusal != FRAME_GOOD) {
            return refusal;
        }
        if (ie.id == FRAME_IE_TERMINATION_1 || ie.id == FRAME_IE_TERMINATION_2) {
            frame->payload_ies_follow = ie.id == FRAME_IE_TERMINATION_1;
            return ie.length == 0 ? FRAME_GOOD : FRAME_BAD_HEADER_IE;
        }
        packet_cursor_skip(cursor, ie.length);
    }
    return FRAME_GOOD;
}

/* Bits 0 to 10 are the length, 11 to 14 the group, and 15 is 1. Group 15 is the termination. */
enum frame_refusal frame_skip_payload_ies(struct packet_cursor *cursor)
{
    while (packet_cursor_left(cursor) > 0) {
        uint16_t descriptor = packet_cursor_le16(cursor);
        uint16_t length = descriptor & 0x7ffu;
        bool is_last = (descriptor >> 11 & 0xfu) == 0xfu;
        if ((descriptor & 0x8000u) == 0 || cursor->overrun || length > packet_cursor_left(cursor) ||
            (is_last && length != 0)) {
            return FRAME_BAD_PAYLOAD_IE;
        }
        if (is_last) {
            return FRAME_GOOD;
        }
        packet_cursor_skip(cursor, length);
    }
    return FRAME_GOOD;
}

static bool is_encrypted(const struct frame *frame)
{
    return frame->has_security && (frame->security.level & 4u) != 0;
}

static enum frame_refusal read_ies(struct frame *frame, struct packet_cursor *cursor)
{
    uint16_t before = packet_cursor_left(cursor);
    frame->payload_ies_follow = false;
    frame->payload_ies_length = 0;
    enum frame_refusal refusal = frame->has_ies ? skip_header_ies(frame, cursor) : FRAME_GOOD;
    uint16_t behind = packet_cursor_left(cursor);
    frame->header_ies_length = (uint8_t)(before - behind);
    if (refusal == FRAME_GOOD && frame->payload_ies_follow && !is_encrypted(frame)) {
        refusal = frame_skip_payload_ies(cursor);
        frame->payload_ies_length = (uint8_t)(behind - packet_cursor_left(cursor));
    }
    return refusal;
}

/* -------- the whole */

/* The header without information elements, and the MIC. */
static enum frame_refusal read_header(struct frame *frame, struct packet_cursor *cursor)
{
    read_control(frame, cursor);
    if (cursor->overrun) {
        return FRAME_TOO_SHORT;
    }
    enum frame_refusal refusal = header_check(frame);
    if (refusal == FRAME_GOOD) {
        refusal = read_addressing(frame, cursor);
    }
    if (refusal == FRAME_GOOD && frame->has_security) {
        read_security(frame, cursor);
    }
    return refusal == FRAME_GOOD && cursor->overrun ? FRAME_TOO_SHORT : refusal;
}

enum frame_refusal frame_parse(struct frame *frame, struct packet_cursor *cursor)
{
    uint16_t whole = packet_cursor_left(cursor);
    if (whole > FRAME_BYTES_MAX) {
        return FRAME_TOO_LONG;
    }
    enum frame_refusal refusal = read_header(frame, cursor);
    if (refusal == FRAME_GOOD) {
        refusal = leave_mic(frame, cursor);
    }
    if (refusal == FRAME_GOOD) {
        refusal = read_ies(frame, cursor);
    }
    if (refusal != FRAME_GOOD) {
        return refusal;
    }
    frame->payload_length = (uint8_t)packet_cursor_left(cursor);
    frame->header_length =
        (uint8_t)(whole - frame->mic_length - frame->payload_length - frame->payload_ies_length);
    bool is_immediate = frame->type == FRAME_ACK && frame->version != FRAME_2015;
    return is_immediate && frame->payload_length != 0 ? FRAME_BAD_ACK : FRAME_GOOD;
}

/* A frame control and an FCS, at least. */
enum frame_refusal frame_phy_length(uint8_t phr, uint8_t *length)
{
    *length = phr & 0x7fu;
    return *length < 2 + FCS_BYTES ? FRAME_BAD_PHY_LENGTH : FRAME_GOOD;
}
