/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Frames of TinyOS's active messages on the link: the format of radios of bytes.
 *
 *     destination 2 | source 2 | length | group | type | payload
 *
 * Numbers have the most significant byte first, and `length` is that of the payload. The driver
 * appends the checksum. It acknowledges by a word that is no frame, so acknowledgments tell nothing
 * but that the frame has arrived.
 *
 * The group is the PAN. There is no sequence number, so nobody can tell a frame that is sent again
 * from a new one; and there are neither extended addresses nor security.
 *
 * A message's type is the header's, and the two bytes that a packet has in front of a message
 * (net/am/dispatch.h) are not sent. Two types are the link's own: for packets that are no messages
 * of other types, and for requests for data. A mote with TinyOS has no receiver for them.
 */
#include "net/am/dispatch.h"
#include "net/link/format.h"

enum {
    DESTINATION_AT = 0,
    SOURCE_AT = 2,
    LENGTH_AT = 4,
    GROUP_AT = 5,
    TYPE_AT = 6,
    HEADER_BYTES = 7,
    PAYLOAD_MAX = 118, /* of the longest frame, 127 bytes with its checksum */

    TYPE_PACKET = 0xfe, /* and above: the link's own */
    TYPE_DATA_REQUEST = 0xff,

    FLAGS_POSSIBLE = LINK_SLEEPS | LINK_RECEIVES_IN_BACKOFF,
};

/* Reasons for losses. */
enum refusal {
    TOO_SHORT = LOST_BY_LINK, /* it ends within its header */
    WRONG_LENGTH,             /* the header says another one */
    TOO_LONG,                 /* to be sent */
    LOST_REASONS,
};

const ARCH_FLASH uint8_t link_format_channel = 2; /* 434.845 MHz */
const ARCH_FLASH uint8_t link_format_payload = AM_HEADER_BYTES + PAYLOAD_MAX;
const ARCH_FLASH uint32_t link_format_silence_us = 0;
const ARCH_FLASH uint8_t link_format_reasons = LOST_REASONS - LOST_BY_LINK;
uint16_t link_losses[LOST_REASONS];

static uint8_t type_in; /* net-main's */

void link_format_reason(uint8_t index, struct link_loss *loss)
{
    loss->part = ARCH_TEXT("frame");
    switch (LOST_BY_LINK + index) {
    case TOO_SHORT:
        loss->name = ARCH_TEXT("too short");
        break;
    case WRONG_LENGTH:
        loss->name = ARCH_TEXT("wrong length");
        break;
    default:
        loss->name = ARCH_TEXT("too long");
        break;
    }
}

bool link_format_allows(const struct link_settings *settings)
{
    return (settings->flags & ~FLAGS_POSSIBLE) == 0 && settings->level == LINK_LEVEL_NONE &&
           settings->pan <= UINT8_MAX && settings->short_address != LINK_EXTENDED;
}

bool link_format_reaches(const struct link_address *destination)
{
    return destination->short_address != LINK_EXTENDED;
}

/* -------- received */

static uint16_t read_u16(const uint8_t *bytes)
{
    return (uint16_t)((uint16_t)bytes[0] << 8 | bytes[1]);
}

uint8_t link_format_parse(packet_t packet, struct link_frame *frame)
{
    const struct link_settings *settings = &link_state.settings;
    uint16_t length = packet_length(packet);
    uint8_t header[HEADER_BYTES];

    if (length < HEADER_BYTES) {
        return TOO_SHORT;
    }
    packet_read(packet, 0, header, HEADER_BYTES);
    if (length - HEADER_BYTES != header[LENGTH_AT]) {
        return WRONG_LENGTH;
    }
    uint16_t destination = read_u16(header + DESTINATION_AT);
    type_in = header[TYPE_AT];
    frame->source.short_address = read_u16(header + SOURCE_AT);
    if (frame->source.short_address == LINK_EXTENDED) {
        frame->source.short_address = LINK_ALL;
    }
    frame->has_sequence = false;
    frame->sequence = 0;
    frame->to_all = destination == LINK_ALL;
    frame->is_mine = header[GROUP_AT] == (uint8_t)settings->pan &&
                     (frame->to_all || destination == settings->short_address);
    frame->is_data_request = type_in == TYPE_DATA_REQUEST;
    frame->is_data = !frame->is_data_request;
    frame->pending = length > HEADER_BYTES || type_in < TYPE_PACKET;
    frame->is_secured = false;
    return LOST_NONE;
}

/* A message gets its two bytes, in place of the header's last ones. */
uint8_t link_format_open(packet_t packet, uint8_t *payload)
{
    const uint8_t dispatch = AM_DISPATCH;

    *payload = HEADER_BYTES;
    if (type_in < TYPE_PACKET) {
        *payload = HEADER_BYTES - AM_HEADER_BYTES;
        packet_write(packet, *payload, &dispatch, 1);
    }
    return LOST_NONE;
}

/* -------- sent */

int link_format_request(packet_t packet)
{
    (void)packet;
    return 0;
}

static uint8_t take_type(packet_t packet)
{
    uint8_t type;

    if (am_header_of(packet, 0, &type) == 0 || type >= TYPE_PACKET) {
        return TYPE_PACKET;
    }
    packet_trim_front(packet, AM_HEADER_BYTES);
    return type;
}

static uint8_t type_of(const struct link_sending *sending)
{
    return sending->kind == LINK_DATA ? take_type(sending->packet) : TYPE_DATA_REQUEST;
}

uint8_t link_format_build(struct link_sending *sending)
{
    const struct link_settings *settings = &link_state.settings;
    uint16_t destination = sending->destination.short_address;
    uint8_t type = type_of(sending);
    uint16_t length = packet_length(sending->packet);
    const uint8_t header[HEADER_BYTES] = {
        (uint8_t)(destination >> 8),
        (uint8_t)destination,
        (uint8_t)(settings->short_address >> 8),
        (uint8_t)settings->short_address,
        (uint8_t)length,
        (uint8_t)settings->pan,
        type,
    };

    if (length > PAYLOAD_MAX) {
        return TOO_LONG;
    }
    if (packet_prepend(sending->packet, header, HEADER_BYTES) != 0) {
        return LOST_NO_BLOCK;
    }
    return packet_flat(sending->packet) != 0 ? LOST_NONE : TOO_LONG;
}

void link_format_renew(const struct link_sending *sending)
{
    (void)sending;
}

/* -------- acknowledgments are no frames: the radio's driver sends them, and waits for them */

bool link_format_is_ack(packet_t packet, uint8_t *sequence, bool *pending)
{
    (void)packet;
    (void)sequence;
    (void)pending;
    return false;
}

packet_t link_format_ack_for(packet_t packet)
{
    (void)packet;
    return PACKET_NONE;
}
