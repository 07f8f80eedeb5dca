/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Frames of IEEE 802.15.4 on the link: the format of radios of 2.4 GHz. */
#include <string.h>

#include "net/ieee802154/header.h"
#include "net/link/format.h"
#include "net/link/guard.h"
#include "net/link/sequence.h"

#pragma weak link_guard_open
#pragma weak link_guard_protect
#pragma weak link_guard_reserve
#pragma weak link_has_for

enum {
    COMMAND_DATA_REQUEST = 4, /* table 7-49 */
    SAFE_PAYLOAD = 102,       /* aMaxMacSafePayloadSize: a longer one makes it a frame of 2006 */
    HEADER_LEAST = 9,         /* of data, with short addresses in one PAN */
    USUAL = 0x8841,           /* frame control of such a frame, in versions 2003 and 2006 */
    USUAL_VARIES = 0x1030,    /* its version, the pending bit, and whether it asks for an ack */
    USUAL_2006 = 0x1000,
    USUAL_PENDING = 0x10,
    USUAL_ASKS = 0x20,
    ACK_BYTES = 3,
    ACK_PENDING = 1 << 4,
    FLAGS_POSSIBLE = LINK_SLEEPS | LINK_RECEIVES_IN_BACKOFF | LINK_COORDINATOR | LINK_2015,
    OF_FRAME = FRAME_REFUSALS - 1,
    OF_SECURITY = LINK_REFUSALS - 1,
};

const ARCH_FLASH uint8_t link_format_channel = 26;
const ARCH_FLASH uint8_t link_format_payload = FRAME_BYTES_MAX - HEADER_LEAST;
const ARCH_FLASH uint8_t link_format_reasons = OF_FRAME + OF_SECURITY;
uint16_t link_losses[LOST_BY_LINK + OF_FRAME + OF_SECURITY];

static struct frame in; /* net-main's */

static uint8_t lost_frame(enum frame_refusal refusal)
{
    return refusal == FRAME_GOOD ? LOST_NONE : (uint8_t)(LOST_BY_LINK + refusal - 1);
}

static uint8_t lost_security(enum link_refusal refusal)
{
    return refusal == LINK_GOOD ? LOST_NONE : (uint8_t)(LOST_BY_LINK + OF_FRAME + refusal - 1);
}

void link_format_reason(uint8_t index, struct link_loss *loss)
{
    if (index < OF_FRAME) {
        loss->part = ARCH_TEXT("frame");
        loss->name = frame_refusal_name((enum frame_refusal)(index + 1));
    } else {
        loss->part = ARCH_TEXT("security");
        loss->name = link_refusal_name((enum link_refusal)(index - OF_FRAME + 1));
    }
}

/* Who only enciphers cannot tell whether a counter is true. */
static bool can_be_secured(uint8_t level)
{
    return link_guard_reserve != 0 && level <= LINK_LEVEL_ENC_MIC_128 && level != LINK_LEVEL_ENC;
}

bool link_format_allows(const struct link_settings *settings)
{
    return (settings->flags & ~FLAGS_POSSIBLE) == 0 &&
           (settings->level == LINK_LEVEL_NONE || can_be_secured(settings->level));
}

bool link_format_reaches(const struct link_address *destination)
{
    (void)destination;
    return true;
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

/* Most frames are data with short addresses in one PAN. Their parts are at fixed places, and are
 * read in a third of the time that the parser takes. */
static bool read_usual(packet_t packet, const uint8_t bytes[HEADER_LEAST])
{
    uint16_t control = (uint16_t)(bytes[0] | (uint16_t)bytes[1] << 8);

    if ((control & (uint16_t)~USUAL_VARIES) != USUAL) {
        return false;
    }
    in.type = FRAME_DATA;
    in.pending = (control & CONTROL_PENDING) != 0;
    in.has_security = false;
    in.has_sequence = true;
    in.sequence = bytes[2];
    in.destination.mode = FRAME_ADDRESS_SHORT;
    in.destination.pan = (uint16_t)(bytes[3] | (uint16_t)bytes[4] << 8);
    in.destination.bytes[0] = bytes[5];
    in.destination.bytes[1] = bytes[6];
    in.source.mode = FRAME_ADDRESS_SHORT;
    in.source.pan = in.destination.pan;
    in.source.bytes[0] = bytes[7];
    in.source.bytes[1] = bytes[8];
    in.header_length = HEADER_LEAST;
    in.payload_ies_length = 0;
    in.payload_ies_follow = false;
    in.mic_length = 0;
    return packet_length(packet) <= FRAME_BYTES_MAX;
}

static enum frame_refusal parse(packet_t packet, bool *is_data_request)
{
    uint8_t bytes[HEADER_LEAST];
    struct packet_cursor cursor;

    *is_data_request = false;
    if (packet_length(packet) >= HEADER_LEAST) {
        packet_read(packet, 0, bytes, HEADER_LEAST);
        if (read_usual(packet, bytes)) {
            return FRAME_GOOD;
        }
    }
    packet_cursor(&cursor, packet, 0);
    enum frame_refusal refusal = frame_parse(&in, &cursor);
    if (refusal == FRAME_GOOD && in.type == FRAME_COMMAND) {
        *is_data_request = packet_cursor_u8(&cursor) == COMMAND_DATA_REQUEST;
    }
    return refusal;
}

uint8_t link_format_parse(packet_t packet, struct link_frame *frame)
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

uint8_t link_format_open(packet_t packet, uint8_t *payload)
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
    return settings->level != LINK_LEVEL_NONE || payload > SAFE_PAYLOAD ? FRAME_2006 : FRAME_2003;
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

int link_format_request(packet_t packet)
{
    static const uint8_t data_request = COMMAND_DATA_REQUEST;

    return packet_append(packet, &data_request, 1);
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

static bool is_usual(const struct link_sending *sending)
{
    const struct link_settings *settings = &link_state.settings;

    return sending->kind == LINK_DATA && sending->destination.short_address != LINK_EXTENDED &&
           settings->short_address != LINK_EXTENDED && settings->level == LINK_LEVEL_NONE &&
           (settings->flags & LINK_2015) == 0;
}

/* The header of most frames, in a third of the time that any other takes. */
static uint8_t put_usual(const struct link_sending *sending)
{
    const struct link_settings *settings = &link_state.settings;
    uint16_t to = sending->destination.short_address;
    uint16_t length = packet_length(sending->packet);
    uint16_t control = (uint16_t)(USUAL | (sending->more ? USUAL_PENDING : 0) |
                                  (sending->wants_ack ? USUAL_ASKS : 0) |
                                  (length > SAFE_PAYLOAD ? USUAL_2006 : 0));
    const uint8_t header[HEADER_LEAST] = {
        (uint8_t)control,
        (uint8_t)(control >> 8),
        sending->sequence,
        (uint8_t)settings->pan,
        (uint8_t)(settings->pan >> 8),
        (uint8_t)to,
        (uint8_t)(to >> 8),
        (uint8_t)settings->short_address,
        (uint8_t)(settings->short_address >> 8),
    };

    return packet_prepend(sending->packet, header, HEADER_LEAST) == 0 ? LOST_NONE : LOST_NO_BLOCK;
}

/* link_begin has refused a payload that is too long for a usual frame. */
uint8_t link_format_build(struct link_sending *sending)
{
    static struct frame frame;
    packet_t packet = sending->packet;
    uint8_t lost;

    sending->sequence = link_sequence_next(&sending->destination);
    if (is_usual(sending)) {
        return put_usual(sending);
    }
    fill_in(&frame, sending);
    lost = link_state.settings.level == LINK_LEVEL_NONE ? put_header(packet, &frame)
                                                        : protect(packet, &frame);
    if (lost == LOST_NONE &&
        (packet_length(packet) > FRAME_BYTES_MAX || packet_flat(packet) == 0)) {
        lost = lost_frame(FRAME_TOO_LONG);
    }
    return lost;
}

void link_format_renew(const struct link_sending *sending)
{
    uint8_t control;

    packet_read(sending->packet, 0, &control, 1);
    if ((control & CONTROL_SECURITY) == 0) {
        control = (uint8_t)((control & ~CONTROL_PENDING) | (sending->more ? CONTROL_PENDING : 0));
        packet_write(sending->packet, 0, &control, 1);
    }
}

/* -------- acknowledgments by software */

bool link_format_is_ack(packet_t packet, uint8_t *number, bool *pending)
{
    uint8_t bytes[ACK_BYTES];

    if (packet_length(packet) != ACK_BYTES) {
        return false;
    }
    packet_read(packet, 0, bytes, ACK_BYTES);
    *number = bytes[2];
    *pending = (bytes[0] & ACK_PENDING) != 0;
    return (bytes[0] & 7u) == FRAME_ACK;
}

/* The frame pending bit answers a request for data. */
packet_t link_format_ack_for(packet_t packet)
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
