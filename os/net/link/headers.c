/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* All headers that IEEE 802.15.4 has, beside the usual one: linked by LINK_ALL_HEADERS, and by
 * LINK_SECURED. */
#include <string.h>

#include "net/ieee802154/header.h"
#include "net/link/format.h"
#include "net/link/guard.h"
#include "net/link/headers.h"
#include "net/link/sequence.h"

#pragma weak link_guard_open
#pragma weak link_guard_protect
#pragma weak link_has_for

enum {
    COMMAND_DATA_REQUEST = 4, /* table 7-49 */
    ACK_BYTES = 3,
    ACK_PENDING = 1 << 4,
    OF_FRAME = FRAME_REFUSALS - 1,
    OF_SECURITY = LINK_REFUSALS - 1,
};

const ARCH_FLASH uint8_t link_headers_reasons = OF_FRAME + OF_SECURITY;
uint16_t link_headers_losses[OF_FRAME + OF_SECURITY];

static struct frame in; /* the one that was parsed last; the form's */

static uint8_t lost_frame(enum frame_refusal refusal)
{
    return refusal == FRAME_GOOD ? LOST_NONE : (uint8_t)(LOST_BY_LINK + refusal - 1);
}

static uint8_t lost_security(enum link_refusal refusal)
{
    return refusal == LINK_GOOD ? LOST_NONE : (uint8_t)(LOST_BY_LINK + OF_FRAME + refusal - 1);
}

void link_headers_reason(uint8_t index, struct link_loss *loss)
{
    if (index < OF_FRAME) {
        loss->part = ARCH_TEXT("frame");
        loss->name = frame_refusal_name((enum frame_refusal)(index + 1));
    } else {
        loss->part = ARCH_TEXT("security");
        loss->name = link_refusal_name((enum link_refusal)(index - OF_FRAME + 1));
    }
}

/* -------- received */

static void read_address(struct link_address *address, const struct frame_address *from)
{
    if (from->mode != FRAME_ADDRESS_EXTENDED) {
        address->short_address = from->mode == FRAME_ADDRESS_SHORT ? frame_short(from) : LINK_ALL;
        return;
    }
    address->short_address = LINK_EXTENDED;
    for (uint8_t i = 0; i < LINK_EXTENDED_BYTES; i++) {
        address->extended[i] = from->bytes[LINK_EXTENDED_BYTES - 1 - i];
    }
}

/* The short address LINK_EXTENDED says to use the extended one (table 8-94, macShortAddress): it is
 * no mote's. */
static void read_source(struct link_address *source, const struct frame_address *from)
{
    read_address(source, from);
    if (source->short_address == LINK_EXTENDED && from->mode == FRAME_ADDRESS_SHORT) {
        source->short_address = LINK_ALL;
    }
}

/* Whether the destination is this mote, or everybody. Without a destination, it is the coordinator
 * of the source's PAN. What names no PAN either is nobody's, and is the only frame whose header is
 * shorter than what is stored in its place. */
static bool is_mine(const struct frame *frame, bool *to_all)
{
    const struct link_settings *settings = &link_state.settings;
    struct link_address to;

    *to_all = false;
    if (frame->destination.mode == FRAME_ADDRESS_NONE) {
        return (settings->flags & LINK_COORDINATOR) != 0 && frame->source.pan == settings->pan &&
               (frame->source.has_pan || frame->destination.has_pan);
    }
    if (frame->destination.pan != settings->pan && frame->destination.pan != UINT16_MAX) {
        return false;
    }
    read_address(&to, &frame->destination);
    if (to.short_address == LINK_EXTENDED) {
        return frame->destination.mode == FRAME_ADDRESS_EXTENDED &&
               memcmp(to.extended, link_state.extended, LINK_EXTENDED_BYTES) == 0;
    }
    *to_all = to.short_address == LINK_ALL;
    return *to_all || to.short_address == settings->short_address;
}

static enum frame_refusal parse(packet_t packet, bool *is_data_request)
{
    struct packet_cursor cursor;

    packet_cursor(&cursor, packet, 0);
    enum frame_refusal refusal = frame_parse(&in, &cursor);
    *is_data_request = refusal == FRAME_GOOD && in.type == FRAME_COMMAND &&
                       packet_cursor_u8(&cursor) == COMMAND_DATA_REQUEST;
    return refusal;
}

uint8_t link_headers_parse(packet_t packet, struct link_frame *frame)
{
    enum frame_refusal refusal = parse(packet, &frame->is_data_request);

    if (refusal != FRAME_GOOD) {
        return lost_frame(refusal);
    }
    read_source(&frame->source, &in.source);
    frame->has_sequence = in.has_sequence;
    frame->sequence = in.sequence;
    frame->is_mine = is_mine(&in, &frame->to_all);
    frame->is_data = in.type == FRAME_DATA;
    frame->pending = in.pending;
    frame->is_secured = in.has_security;
    return LOST_NONE;
}

/* Of a command, everybody may read which one it is. */
static uint8_t open_bytes_of(uint8_t type)
{
    return type == FRAME_COMMAND ? 1 : 0;
}

static uint8_t check_security(packet_t packet)
{
    if (!in.has_security) {
        return link_state.settings.level == LINK_LEVEL_NONE ? LOST_NONE : LOST_UNSECURED;
    }
    if (link_guard_open == 0) {
        return LOST_SECURED;
    }
    return lost_security(link_guard_open(packet, &in, open_bytes_of(in.type)));
}

/* While the payload was enciphered, so were its information elements. */
static uint8_t skip_payload_ies(packet_t packet, uint8_t *payload)
{
    struct packet_cursor cursor;

    packet_cursor(&cursor, packet, *payload);
    uint8_t lost = lost_frame(frame_skip_payload_ies(&cursor));
    *payload = (uint8_t)(packet_length(packet) - packet_cursor_left(&cursor));
    return lost;
}

uint8_t link_headers_open(packet_t packet, uint8_t *payload)
{
    uint8_t lost = check_security(packet);

    if (lost != LOST_NONE) {
        return lost;
    }
    if (in.mic_length > 0) {
        packet_trim_back(packet, in.mic_length);
    }
    *payload = (uint8_t)(in.header_length + in.payload_ies_length);
    if (in.payload_ies_follow && in.has_security && in.security.level >= LINK_LEVEL_ENC) {
        lost = skip_payload_ies(packet, payload);
    }
    return lost;
}

/* -------- sent */

static void write_address(struct frame_address *address, const struct link_address *from)
{
    address->pan = link_state.settings.pan;
    if (from->short_address != LINK_EXTENDED) {
        address->mode = FRAME_ADDRESS_SHORT;
        address->bytes[0] = (uint8_t)from->short_address;
        address->bytes[1] = (uint8_t)(from->short_address >> 8);
        return;
    }
    address->mode = FRAME_ADDRESS_EXTENDED;
    for (uint8_t i = 0; i < LINK_EXTENDED_BYTES; i++) {
        address->bytes[i] = from->extended[LINK_EXTENDED_BYTES - 1 - i];
    }
}

static uint8_t version_of(uint16_t payload)
{
    const struct link_settings *settings = &link_state.settings;

    if ((settings->flags & LINK_2015) != 0) {
        return FRAME_2015;
    }
    return settings->level != LINK_LEVEL_NONE || payload > LINK_SAFE_PAYLOAD ? FRAME_2006
                                                                             : FRAME_2003;
}

static void fill_in(struct frame *frame, const struct link_sending *sending)
{
    struct link_address own;

    link_own(&own);
    memset(frame, 0, sizeof(*frame));
    frame->type = sending->kind == LINK_DATA ? FRAME_DATA : FRAME_COMMAND;
    frame->version = version_of(packet_length(sending->packet));
    frame->pending = sending->more;
    frame->ack_request = sending->wants_ack;
    frame->has_sequence = true;
    frame->sequence = sending->sequence;
    write_address(&frame->destination, &sending->destination);
    write_address(&frame->source, &own);
    (void)frame_compress(frame);
}

static uint8_t put_header(packet_t packet, const struct frame *frame)
{
    uint8_t bytes[FRAME_HEADER_MAX], length;

    (void)frame_build(frame, bytes, &length);
    return packet_prepend(packet, bytes, length) == 0 ? LOST_NONE : LOST_NO_BLOCK;
}

static uint8_t protect(packet_t packet, struct frame *frame)
{
    enum link_refusal refusal;
    int error = link_guard_protect(packet, frame, open_bytes_of(frame->type), &refusal);

    return error == 0 ? LOST_NONE : refusal == LINK_GOOD ? LOST_NO_BLOCK : lost_security(refusal);
}

uint8_t link_headers_build(struct link_sending *sending)
{
    static struct frame frame;
    packet_t packet = sending->packet;
    uint8_t lost;

    sending->sequence = link_sequence_next(&sending->destination);
    fill_in(&frame, sending);
    lost = link_state.settings.level == LINK_LEVEL_NONE ? put_header(packet, &frame)
                                                        : protect(packet, &frame);
    if (lost == LOST_NONE &&
        (packet_length(packet) > FRAME_BYTES_MAX || packet_flat(packet) == 0)) {
        lost = lost_frame(FRAME_TOO_LONG);
    }
    return lost;
}

/* -------- acknowledgments by software */

/* The frame pending bit answers a request for data. */
packet_t link_headers_ack_for(packet_t packet)
{
    struct frame frame;
    struct packet_cursor cursor;
    bool to_all;
    packet_t ack = PACKET_NONE;

    packet_cursor(&cursor, packet, 0);
    if (frame_parse(&frame, &cursor) != FRAME_GOOD || !frame.ack_request ||
        frame.version == FRAME_2015 || !is_mine(&frame, &to_all) || to_all ||
        packet_alloc_receive(&ack, ARCH_TEXT("ack"), ACK_BYTES) != 0) {
        return PACKET_NONE;
    }
    struct link_address source;
    read_source(&source, &frame.source);
    bool pending = frame.type == FRAME_COMMAND && link_has_for != 0 && link_has_for(&source);
    const uint8_t bytes[ACK_BYTES] = {(uint8_t)(FRAME_ACK | (pending ? ACK_PENDING : 0)), 0,
                                      frame.sequence};
    packet_write(ack, 0, bytes, ACK_BYTES);
    return ack;
}
