/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "net/ieee802154/header.h"

enum frame_refusal frame_compress(struct frame *frame)
{
    bool both =
        frame->destination.mode != FRAME_ADDRESS_NONE && frame->source.mode != FRAME_ADDRESS_NONE;
    bool same = frame->destination.pan == frame->source.pan;
    frame->pan_compression = both && same;
    if (both && frame->version == FRAME_2015 && frame->destination.mode == FRAME_ADDRESS_EXTENDED &&
        frame->source.mode == FRAME_ADDRESS_EXTENDED) {
        frame->pan_compression = false; /* the source's is left out anyway */
        if (!same) {
            return FRAME_COMPRESSION;
        }
    }
    struct header_pans pans;
    enum frame_refusal refusal = header_choose_pans(frame, &pans);
    frame->destination.has_pan = pans.destination;
    frame->source.has_pan = pans.source;
    return refusal;
}

static void put(uint8_t **at, const uint8_t *bytes, uint8_t length)
{
    for (; length > 0; length--) {
        *(*at)++ = *bytes++;
    }
}

static void put_u8(uint8_t **at, uint8_t byte)
{
    *(*at)++ = byte;
}

static void put_le16(uint8_t **at, uint16_t number)
{
    put_u8(at, (uint8_t)number);
    put_u8(at, (uint8_t)(number >> 8));
}

static uint16_t control_of(const struct frame *frame)
{
    unsigned control = frame->type | (unsigned)frame->version << CONTROL_VERSION_AT |
                       (unsigned)frame->destination.mode << CONTROL_DESTINATION_AT |
                       (unsigned)frame->source.mode << CONTROL_SOURCE_AT;
    control |= frame->has_security ? CONTROL_SECURITY : 0;
    control |= frame->pending ? CONTROL_PENDING : 0;
    control |= frame->ack_request ? CONTROL_ACK_REQUEST : 0;
    control |= frame->pan_compression ? CONTROL_COMPRESSION : 0;
    control |= frame->has_sequence ? 0 : CONTROL_NO_SEQUENCE;
    control |= frame->has_ies ? CONTROL_IES : 0;
    return (uint16_t)control;
}

static void put_address(uint8_t **at, const struct frame_address *address, bool has_pan)
{
    if (has_pan) {
        put_le16(at, address->pan);
    }
    put(at, address->bytes, header_address_bytes(address->mode));
}

static void put_security(uint8_t **at, const struct frame_security *security)
{
    unsigned control = security->level | (unsigned)security->key_mode << SECURITY_KEY_MODE_AT;
    control |= security->counter_suppressed ? SECURITY_NO_COUNTER : 0;
    control |= security->asn_in_nonce ? SECURITY_ASN : 0;
    put_u8(at, (uint8_t)control);
    if (!security->counter_suppressed) {
        put_le16(at, (uint16_t)security->counter);
        put_le16(at, (uint16_t)(security->counter >> 16));
    }
    put(at, security->key_source, header_key_source_bytes(security->key_mode));
    if (security->key_mode != 0) {
        put_u8(at, security->key_index);
    }
}

/* Whether the version has what the header asks for. */
static bool is_in_version(const struct frame *frame)
{
    const struct frame_security *security = &frame->security;
    if (frame->has_security && (security->level > SECURITY_LEVEL || security->key_mode > 3)) {
        return false;
    }
    if (frame->version == FRAME_2015) {
        return true;
    }
    bool later = frame->has_security && (security->counter_suppressed || security->asn_in_nonce);
    return frame->has_sequence && !frame->has_ies && !later;
}

enum frame_refusal frame_build(const struct frame *frame, uint8_t *bytes, uint8_t *length)
{
    struct header_pans pans;
    enum frame_refusal refusal = header_check(frame);
    if (refusal == FRAME_GOOD) {
        refusal = header_choose_pans(frame, &pans);
    }
    if (refusal != FRAME_GOOD) {
        return refusal;
    }
    if (!is_in_version(frame)) {
        return FRAME_NOT_IN_VERSION;
    }
    uint8_t *at = bytes;
    put_le16(&at, control_of(frame));
    if (frame->has_sequence) {
        put_u8(&at, frame->sequence);
    }
    put_address(&at, &frame->destination, pans.destination);
    put_address(&at, &frame->source, pans.source);
    if (frame->has_security) {
        put_security(&at, &frame->security);
    }
    *length = (uint8_t)(at - bytes);
    return FRAME_GOOD;
}
