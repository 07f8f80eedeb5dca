/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Frames of IEEE 802.15.4 on the link: the format of radios of 2.4 GHz.
 *
 * Here is the usual header, which nearly all frames have: data, or a request for data, between
 * short addresses in one PAN, not secured. Its parts are at fixed places, so that it is read and
 * written in a third of the time that another one takes. All others are those of headers.c.
 */
#include "net/ieee802154/header.h"
#include "net/link/format.h"
#include "net/link/guard.h"
#include "net/link/headers.h"
#include "net/link/sequence.h"

#pragma weak link_guard_reserve
#pragma weak link_headers_build
#pragma weak link_headers_open
#pragma weak link_headers_parse

enum {
    COMMAND_DATA_REQUEST = 4, /* table 7-49 */
    HEADER_BYTES = 9,
    USUAL = 0x8841,        /* frame control of data, in versions 2003 and 2006 */
    USUAL_VARIES = 0x1032, /* its version, the pending bit, whether it asks for an ack, and data or
                            * command */
    USUAL_COMMAND = 0x2,
    USUAL_2006 = 0x1000,
    ACK_BYTES = 3,
    ACK_PENDING = 1 << 4,
    FLAGS_USUAL = LINK_SLEEPS | LINK_RECEIVES_IN_BACKOFF,
    FLAGS_POSSIBLE = FLAGS_USUAL | LINK_COORDINATOR | LINK_2015,
};

const ARCH_FLASH uint8_t link_format_channel = 26;
const ARCH_FLASH uint8_t link_format_payload = FRAME_BYTES_MAX - HEADER_BYTES;

static bool was_usual; /* the header that was parsed last; the form's */

static bool has_all_headers(void)
{
    return link_headers_parse != 0;
}

/* Who only enciphers cannot tell whether a counter is true. */
static bool can_be_secured(uint8_t level)
{
    return link_guard_reserve != 0 && level <= LINK_LEVEL_ENC_MIC_128 && level != LINK_LEVEL_ENC;
}

bool link_format_allows(const struct link_settings *settings)
{
    uint8_t flags = has_all_headers() ? FLAGS_POSSIBLE : FLAGS_USUAL;

    return (settings->flags & ~flags) == 0 &&
           (settings->short_address != LINK_EXTENDED || has_all_headers()) &&
           (settings->level == LINK_LEVEL_NONE || can_be_secured(settings->level));
}

bool link_format_reaches(const struct link_address *destination)
{
    return destination->short_address != LINK_EXTENDED || has_all_headers();
}

/* -------- received */

static uint16_t number_at(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] | (uint16_t)bytes[1] << 8);
}

/* The short addresses LINK_ALL and LINK_EXTENDED are no mote's. */
static void read_usual(const uint8_t *bytes, struct link_frame *frame)
{
    const struct link_settings *settings = &link_state.settings;
    uint16_t pan = number_at(bytes + 3), to = number_at(bytes + 5), source = number_at(bytes + 7);

    frame->source.short_address = source == LINK_EXTENDED ? LINK_ALL : source;
    frame->has_sequence = true;
    frame->sequence = bytes[2];
    frame->to_all = to == LINK_ALL;
    frame->is_mine = false;
    if (pan == settings->pan || pan == UINT16_MAX) {
        frame->is_mine = frame->to_all || (to == settings->short_address && to != LINK_EXTENDED);
    }
    frame->is_data = (bytes[0] & USUAL_COMMAND) == 0;
    frame->is_data_request = false;
    frame->pending = (bytes[0] & CONTROL_PENDING) != 0;
    frame->is_secured = false;
}

static bool is_data_request(packet_t packet)
{
    uint8_t command;

    if (packet_length(packet) <= HEADER_BYTES) {
        return false;
    }
    packet_read(packet, HEADER_BYTES, &command, 1);
    return command == COMMAND_DATA_REQUEST;
}

/* Not inlined, nor is put_usual: their stack is not there while another header is parsed or built,
 * which takes more. */
static __attribute__((noinline)) bool parse_usual(packet_t packet, struct link_frame *frame)
{
    uint8_t bytes[HEADER_BYTES];
    uint16_t length = packet_length(packet);

    if (length < HEADER_BYTES || length > FRAME_BYTES_MAX) {
        return false;
    }
    packet_read(packet, 0, bytes, HEADER_BYTES);
    if ((number_at(bytes) & (uint16_t)~USUAL_VARIES) != USUAL) {
        return false;
    }
    read_usual(bytes, frame);
    if (!frame->is_data) {
        frame->is_data_request = is_data_request(packet);
    }
    return true;
}

uint8_t link_format_parse(packet_t packet, struct link_frame *frame)
{
    was_usual = parse_usual(packet, frame);
    if (was_usual) {
        return LOST_NONE;
    }
    return has_all_headers() ? link_headers_parse(packet, frame) : LOST_HEADER;
}

uint8_t link_format_open(packet_t packet, uint8_t *payload)
{
    if (!was_usual && link_headers_open != 0) {
        return link_headers_open(packet, payload);
    }
    *payload = HEADER_BYTES;
    return link_state.settings.level == LINK_LEVEL_NONE ? LOST_NONE : LOST_UNSECURED;
}

/* -------- sent */

int link_format_request(packet_t *packet)
{
    static const uint8_t data_request = COMMAND_DATA_REQUEST;
    int error = packet_alloc(packet, ARCH_TEXT("poll"), LINK_HEADROOM, 1);

    if (error == 0) {
        packet_write(*packet, 0, &data_request, 1);
    }
    return error;
}

static bool is_usual(const struct link_sending *sending)
{
    const struct link_settings *settings = &link_state.settings;

    return sending->destination.short_address != LINK_EXTENDED &&
           settings->short_address != LINK_EXTENDED && settings->level == LINK_LEVEL_NONE &&
           (settings->flags & LINK_2015) == 0;
}

static __attribute__((noinline)) uint8_t put_usual(struct link_sending *sending)
{
    const struct link_settings *settings = &link_state.settings;
    uint16_t to = sending->destination.short_address;
    uint16_t length = packet_length(sending->packet);
    uint8_t control = (uint8_t)(USUAL | (sending->kind == LINK_DATA ? 0 : USUAL_COMMAND) |
                                (sending->more ? CONTROL_PENDING : 0) |
                                (sending->wants_ack ? CONTROL_ACK_REQUEST : 0));
    sending->sequence = link_sequence_next(&sending->destination);
    const uint8_t header[HEADER_BYTES] = {
        control,
        (uint8_t)((length > LINK_SAFE_PAYLOAD ? USUAL | USUAL_2006 : USUAL) >> 8),
        sending->sequence,
        (uint8_t)settings->pan,
        (uint8_t)(settings->pan >> 8),
        (uint8_t)to,
        (uint8_t)(to >> 8),
        (uint8_t)settings->short_address,
        (uint8_t)(settings->short_address >> 8),
    };

    return packet_prepend(sending->packet, header, HEADER_BYTES) == 0 ? LOST_NONE : LOST_NO_BLOCK;
}

/* link_begin has refused a payload that is too long for a usual frame, and an address that only
 * another one can have. */
uint8_t link_format_build(struct link_sending *sending)
{
    return link_headers_build != 0 && !is_usual(sending) ? link_headers_build(sending)
                                                         : put_usual(sending);
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
