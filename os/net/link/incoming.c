/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* net-main: checks what was received, and gives it to a receiver.
 *
 * A packet in a receiver's queue begins with what is known about it, in place of its header, and
 * so each of its places takes a byte: flags, type of message, and the source's short or extended
 * address.
 */
#include <string.h>

#include "net/am/dispatch.h"
#include "net/link/format.h"

#pragma weak link_child_asks
#pragma weak link_polled

enum {
    INFO_TO_ALL = 1 << 0,
    INFO_SECURED = 1 << 1,
    INFO_EXTENDED = 1 << 2, /* the address is an extended one */
    INFO_FIXED = 2,
    INFO_MOST = INFO_FIXED + LINK_EXTENDED_BYTES,
};

extern const ARCH_FLASH struct link_taker link_takers_begin[], link_takers_end[];

/* -------- receivers */

/* The one that asks most precisely. */
static const ARCH_FLASH struct link_taker *find(bool is_message, uint8_t type)
{
    const ARCH_FLASH struct link_taker *best = 0;

    for (const ARCH_FLASH struct link_taker *taker = link_takers_begin; taker != link_takers_end;
         taker++) {
        bool fits = taker->what == LINK_TAKES_ALL ||
                    (is_message && (taker->what == LINK_TAKES_MESSAGES || taker->type == type));
        if (fits && (best == 0 || taker->what > best->what)) {
            best = taker;
        }
    }
    return best;
}

/* Puts it in front of the packet's part from `at` on. What is in front of that is longer: a header
 * has the source, three bytes that come before it, and as a rule a destination. */
static void put_info(packet_t packet, uint8_t at, const struct link_frame *frame, uint8_t type)
{
    uint8_t bytes[INFO_MOST];
    bool is_extended = frame->source.short_address == LINK_EXTENDED;
    uint8_t length = INFO_FIXED + (is_extended ? LINK_EXTENDED_BYTES : 2);

    bytes[0] =
        (uint8_t)((frame->to_all ? INFO_TO_ALL : 0) | (frame->is_secured ? INFO_SECURED : 0) |
                  (is_extended ? INFO_EXTENDED : 0));
    bytes[1] = type;
    if (is_extended) {
        memcpy(bytes + INFO_FIXED, frame->source.extended, LINK_EXTENDED_BYTES);
    } else {
        bytes[INFO_FIXED] = (uint8_t)(frame->source.short_address >> 8);
        bytes[INFO_FIXED + 1] = (uint8_t)frame->source.short_address;
    }
    packet_trim_front(packet, (uint16_t)(at - length));
    packet_write(packet, 0, bytes, length);
}

/* Both kinds of addresses have two bytes at least, so one reading takes all of the usual kind. */
static void take_info(packet_t packet, struct link_info *info)
{
    uint8_t bytes[INFO_FIXED + 2];
    uint8_t length = sizeof(bytes);

    packet_read(packet, 0, bytes, sizeof(bytes));
    info->type = bytes[1];
    info->to_all = (bytes[0] & INFO_TO_ALL) != 0;
    info->is_secured = (bytes[0] & INFO_SECURED) != 0;
    if ((bytes[0] & INFO_EXTENDED) != 0) {
        length = INFO_FIXED + LINK_EXTENDED_BYTES;
        info->source.short_address = LINK_EXTENDED;
        packet_read(packet, INFO_FIXED, info->source.extended, LINK_EXTENDED_BYTES);
    } else {
        info->source.short_address =
            (uint16_t)((uint16_t)bytes[INFO_FIXED] << 8 | bytes[INFO_FIXED + 1]);
    }
    packet_trim_front(packet, length);
}

int link_receive(struct link_receiver *receiver, struct link_info *info, packet_t *packet,
                 uint64_t deadline)
{
    int error = 0;

    if (deadline == TIME_NEVER) {
        queue_receive(&receiver->queue, packet);
    } else {
        error = queue_receive_until(&receiver->queue, packet, deadline);
    }
    if (error == 0) {
        take_info(*packet, info);
    }
    return error;
}

int link_try_receive(struct link_receiver *receiver, struct link_info *info, packet_t *packet)
{
    int error = queue_try_receive(&receiver->queue, packet);

    if (error == 0) {
        take_info(*packet, info);
    }
    return error;
}

/* An empty packet for this mote alone says that nothing waits for it (802.15.4-2015, 6.7.3). */
static bool says_nothing_waits(packet_t packet, uint8_t payload, const struct link_frame *frame)
{
    return payload == packet_length(packet) && !frame->to_all;
}

static uint8_t deliver(packet_t packet, uint8_t payload, const struct link_frame *frame)
{
    uint8_t type = 0;
    uint8_t header = am_header_of(packet, payload, &type);

    if (header == 0 && says_nothing_waits(packet, payload, frame)) {
        return LOST_EMPTY;
    }
    const ARCH_FLASH struct link_taker *taker = find(header > 0, type);
    if (taker == 0) {
        return LOST_NO_RECEIVER;
    }
    if (taker->what != LINK_TAKES_ALL) {
        payload = (uint8_t)(payload + header);
    }
    put_info(packet, payload, frame, type);
    struct link_receiver *receiver = taker->receiver;
    if (queue_try_send(&receiver->queue, &packet) != 0) {
        return LOST_RECEIVER_FULL;
    }
    link_add(&link_counters.received);
    if (receiver->event != 0) {
        event_post(receiver->event);
    }
    return LOST_NONE;
}

/* -------- frames */

/* The sequence number counts only if the frame is genuine, else anybody could make the next one a
 * duplicate. */
static uint8_t check(packet_t packet, struct link_frame *frame, uint8_t *payload)
{
    uint8_t lost = link_format_parse(packet, frame);

    if (lost == LOST_NONE && !frame->is_mine) {
        lost = LOST_NOT_MINE;
    }
    if (lost == LOST_NONE && !frame->is_data && !frame->is_data_request) {
        lost = LOST_KIND;
    }
    if (lost == LOST_NONE) {
        lost = link_format_open(packet, payload);
    }
    if (lost == LOST_NONE && !link_heard(frame, packet)) {
        lost = LOST_DUPLICATE;
    }
    return lost;
}

/* A repetition asks, or answers, as well as what it repeats, which may have been in vain. */
static uint8_t serve_polls(struct link_frame *frame, uint8_t lost)
{
    frame->is_repeated = lost == LOST_DUPLICATE;
    if (link_child_asks != 0 && frame->is_data_request) {
        link_child_asks(frame);
    }
    if (link_polled != 0 && link_polled(frame)) {
        lost = LOST_DUPLICATE;
    }
    return lost;
}

void link_incoming(packet_t packet)
{
    static struct link_frame frame;
    uint8_t payload;
    uint8_t lost = check(packet, &frame, &payload);

    if (lost == LOST_NONE || lost == LOST_DUPLICATE) {
        lost = serve_polls(&frame, lost);
    }
    if (lost == LOST_NONE && frame.is_data_request) {
        packet_free(packet);
        return;
    }
    if (lost == LOST_NONE) {
        lost = deliver(packet, payload, &frame);
    }
    if (lost != LOST_NONE) {
        link_lose(lost);
        packet_free(packet);
    }
}
