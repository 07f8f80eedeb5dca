/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "net/link/guard.h"

#include <string.h>

#include "net/security/frame.h"

/* LINK_SECURED names it to link this file. */
extern const uint8_t link_guard;
const uint8_t link_guard = 0;

enum {
    TRY_EVERY =
        64, /* frames; so a part that does not answer is not waited for after each of them */
};

static struct security_pass out, in; /* net-tx's, net-main's */

int link_guard_reserve(void)
{
    return counter_reserve(link_security.counter);
}

/* A reservation that fails is tried again later. */
void link_guard_reserve_ahead(void)
{
    static uint32_t tried; /* the counter then */
    bool is_idle = link_state.to_send == 0;
    bool is_last_quarter = out.counter % COUNTER_BLOCK >= COUNTER_BLOCK / 4 * 3;

    if (link_state.settings.level != LINK_LEVEL_NONE && (is_idle || is_last_quarter) &&
        out.counter - tried >= TRY_EVERY) {
        tried = out.counter;
        (void)link_guard_reserve();
    }
}

/* Takes the bytes of a packet into a pass, piece by piece: `open` ones, and private ones to `end`.
 */
static void pass_over(struct security_pass *pass, packet_t packet, uint16_t open, uint16_t end)
{
    struct packet_piece piece;

    for (uint16_t at = 0; at < end && packet_gather(packet, at, &piece, 1) != 0;) {
        uint16_t limit = at < open ? open : end;
        uint16_t length = piece.length < limit - at ? piece.length : (uint16_t)(limit - at);
        if (at < open) {
            security_open(pass, piece.bytes, length);
        } else {
            security_private(pass, piece.bytes, length);
        }
        at = (uint16_t)(at + length);
    }
}

/* -------- sent */

static void name_key(struct frame_security *security)
{
    const struct link_settings *settings = &link_state.settings;

    security->level = settings->level;
    security->key_mode = settings->key.mode;
    security->key_index = settings->key.index;
    memcpy(security->key_source, settings->key.source, sizeof(security->key_source));
}

static enum link_refusal begin_pass(const struct security_outgoing *outgoing,
                                    struct security_header *header)
{
    enum link_refusal refusal = security_outgoing_begin(&out, &link_security, outgoing, header);

    if (refusal == LINK_COUNTER_NONE && link_guard_reserve() == 0) {
        refusal = security_outgoing_begin(&out, &link_security, outgoing, header);
    }
    return refusal;
}

/* The header has the same length with each counter. */
static enum link_refusal begin_out(struct frame *frame, uint16_t payload, uint8_t open_bytes,
                                   uint8_t *bytes, uint8_t *length)
{
    struct security_header header;

    frame->has_security = true;
    name_key(&frame->security);
    (void)frame_build(frame, bytes, length);
    struct security_outgoing outgoing = {.key = &link_state.settings.key,
                                         .sender = link_state.extended,
                                         .open_bytes = (uint16_t)(*length + open_bytes),
                                         .private_bytes = (uint16_t)(payload - open_bytes),
                                         .level = link_state.settings.level};
    enum link_refusal refusal = begin_pass(&outgoing, &header);
    if (refusal == LINK_GOOD) {
        frame->security.counter = header.counter;
        (void)frame_build(frame, bytes, length);
    }
    return refusal;
}

int link_guard_protect(packet_t packet, struct frame *frame, uint8_t open_bytes,
                       enum link_refusal *refusal)
{
    uint8_t bytes[FRAME_HEADER_MAX], length, mic[SECURITY_MIC_MOST];
    uint8_t mic_bytes = security_mic_bytes(link_state.settings.level);

    *refusal = begin_out(frame, packet_length(packet), open_bytes, bytes, &length);
    if (*refusal != LINK_GOOD) {
        return ERR_FULL;
    }
    if (packet_prepend(packet, bytes, length) != 0 || packet_append(packet, 0, mic_bytes) != 0) {
        return ERR_FULL;
    }
    uint16_t end = (uint16_t)(packet_length(packet) - mic_bytes);
    pass_over(&out, packet, (uint16_t)(length + open_bytes), end);
    security_outgoing_end(&out, mic);
    packet_write(packet, end, mic, mic_bytes);
    return 0;
}

/* -------- received */

static enum link_refusal read_header(const struct frame_security *security,
                                     struct security_header *header)
{
    if (security->counter_suppressed || security->asn_in_nonce) {
        return LINK_COUNTER_ABSENT;
    }
    if (security->key_mode != LINK_KEY_IMPLICIT && security->key_index == 0) {
        return LINK_HEADER_RESERVED;
    }
    header->counter = security->counter;
    header->level = security->level;
    header->key.mode = security->key_mode;
    header->key.index = security->key_index;
    memcpy(header->key.source, security->key_source, sizeof(header->key.source));
    return LINK_GOOD;
}

static void name_sender(struct security_incoming *incoming, const struct frame_address *source,
                        uint8_t extended[LINK_EXTENDED_BYTES])
{
    incoming->pan = source->pan;
    incoming->short_address =
        source->mode == FRAME_ADDRESS_SHORT ? frame_short(source) : UINT16_MAX;
    incoming->extended = source->mode == FRAME_ADDRESS_EXTENDED ? extended : 0;
    for (uint8_t i = 0; i < LINK_EXTENDED_BYTES; i++) {
        extended[i] = source->bytes[LINK_EXTENDED_BYTES - 1 - i];
    }
}

static enum link_refusal begin_in(packet_t packet, const struct frame *frame, uint16_t open)
{
    struct security_header header;
    struct security_incoming incoming;
    uint8_t extended[LINK_EXTENDED_BYTES];
    enum link_refusal refusal = read_header(&frame->security, &header);

    if (refusal != LINK_GOOD) {
        return refusal;
    }
    if (open + frame->mic_length > packet_length(packet)) {
        return LINK_HEADER_CUT;
    }
    name_sender(&incoming, &frame->source, extended);
    incoming.open_bytes = open;
    incoming.other_bytes = (uint16_t)(packet_length(packet) - open);
    return security_incoming_begin(&in, &link_security, &incoming, &header);
}

enum link_refusal link_guard_open(packet_t packet, const struct frame *frame, uint8_t open_bytes)
{
    uint8_t mic[SECURITY_MIC_MOST];
    uint16_t end = (uint16_t)(packet_length(packet) - frame->mic_length);
    uint16_t open = (uint16_t)(frame->header_length + open_bytes);
    enum link_refusal refusal = begin_in(packet, frame, open);

    if (refusal != LINK_GOOD) {
        return refusal;
    }
    packet_read(packet, end, mic, frame->mic_length);
    pass_over(&in, packet, open, end);
    return security_incoming_end(&in, mic);
}
