/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "net/ieee802154/header.h"

static enum frame_refusal check_type(uint8_t type)
{
    switch (type) {
    case FRAME_BEACON:
    case FRAME_DATA:
    case FRAME_ACK:
    case FRAME_COMMAND:
        return FRAME_GOOD;
    case 5:
        return FRAME_MULTIPURPOSE;
    case 6:
        return FRAME_FRAGMENT;
    case 7:
        return FRAME_EXTENDED;
    default:
        return FRAME_RESERVED_TYPE;
    }
}

static bool is_mode(uint8_t mode)
{
    return mode == FRAME_ADDRESS_NONE || mode == FRAME_ADDRESS_SHORT ||
           mode == FRAME_ADDRESS_EXTENDED;
}

/* An immediate acknowledgment has no addresses. Of other frames before 2015, one without a source
 * comes from the PAN coordinator, and one without a destination is for it; one without both is no
 * frame. */
static enum frame_refusal check_addresses(const struct frame *frame)
{
    uint8_t destination = frame->destination.mode, source = frame->source.mode;
    if (!is_mode(destination) || !is_mode(source)) {
        return FRAME_RESERVED_ADDRESS;
    }
    if (frame->version == FRAME_2015) {
        return FRAME_GOOD;
    }
    bool has_none = (destination | source) == FRAME_ADDRESS_NONE;
    if (frame->type == FRAME_ACK) {
        return has_none && !frame->has_security ? FRAME_GOOD : FRAME_BAD_ACK;
    }
    return has_none ? FRAME_NO_ADDRESSES : FRAME_GOOD;
}

enum frame_refusal header_check(const struct frame *frame)
{
    enum frame_refusal refusal = check_type(frame->type);
    if (refusal != FRAME_GOOD) {
        return refusal;
    }
    if (frame->version > FRAME_2015) {
        return FRAME_RESERVED_VERSION;
    }
    refusal = check_addresses(frame);
    if (refusal == FRAME_GOOD && frame->has_security && frame->version == FRAME_2003) {
        return FRAME_OLD_SECURITY;
    }
    return refusal;
}

/* Before 2015 compression leaves out the source's PAN ID. An immediate acknowledgment has none, and
 * the bit is ignored there. */
static enum frame_refusal choose_before_2015(const struct frame *frame, struct header_pans *pans)
{
    bool to = frame->destination.mode != FRAME_ADDRESS_NONE;
    bool from = frame->source.mode != FRAME_ADDRESS_NONE;
    pans->destination = to;
    pans->source = from && !frame->pan_compression;
    bool is_wrong = frame->pan_compression && !(to && from) && frame->type != FRAME_ACK;
    return is_wrong ? FRAME_COMPRESSION : FRAME_GOOD;
}

static void choose_2015(const struct frame *frame, struct header_pans *pans)
{
    uint8_t to = frame->destination.mode, from = frame->source.mode;
    bool compressed = frame->pan_compression;
    if (to == FRAME_ADDRESS_NONE) {
        pans->destination = from == FRAME_ADDRESS_NONE && compressed;
        pans->source = from != FRAME_ADDRESS_NONE && !compressed;
    } else if (to == FRAME_ADDRESS_SHORT ? from == FRAME_ADDRESS_NONE
                                         : from != FRAME_ADDRESS_SHORT) {
        pans->destination = !compressed; /* it has no source, or both addresses are extended */
        pans->source = false;
    } else {
        pans->destination = true;
        pans->source = !compressed;
    }
}

enum frame_refusal header_choose_pans(const struct frame *frame, struct header_pans *pans)
{
    if (frame->version != FRAME_2015) {
        return choose_before_2015(frame, pans);
    }
    choose_2015(frame, pans);
    return FRAME_GOOD;
}

uint8_t header_address_bytes(uint8_t mode)
{
    return mode == FRAME_ADDRESS_EXTENDED ? 8 : mode == FRAME_ADDRESS_SHORT ? 2 : 0;
}

uint8_t header_key_source_bytes(uint8_t key_mode)
{
    return key_mode == 3 ? 8 : key_mode == 2 ? 4 : 0;
}
