/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Checks what was received, and gives it to a receiver; in the form's context.
 *
 * What is known of a packet in a receiver's queue is among its attributes, in the head of its
 * block, so each of the queue's places takes a byte. Only an extended source, which has no room
 * there, is in front of its bytes.
 */
#include "net/am/dispatch.h"
#include "net/am/taker.h"
#include "net/link/format.h"
#include "net/link/info.h"
#include "net/link/sequence.h"
#include "net/neighbour/neighbour.h"

#pragma weak link_child_asks
#pragma weak link_polled
#pragma weak neighbour_heard

/* -------- receivers */

/* Notes it, and makes the packet begin `at` a place of the frame. An extended source takes the last
 * bytes of the header, which is longer. */
static void note_info(packet_t packet, uint8_t at, const struct link_frame *frame, uint8_t type)
{
    struct packet_attributes *attributes = packet_attributes(packet);
    bool is_extended = frame->source.short_address == LINK_EXTENDED;

    attributes->source = frame->source.short_address;
    attributes->type = type;
    attributes->flags =
        (uint8_t)((frame->to_all ? INFO_TO_ALL : 0) | (frame->is_secured ? INFO_SECURED : 0) |
                  (is_extended ? INFO_EXTENDED : 0));
    packet_trim_front(packet, (uint16_t)(at - (is_extended ? LINK_EXTENDED_BYTES : 0)));
    if (is_extended) {
        packet_write(packet, 0, frame->source.extended, LINK_EXTENDED_BYTES);
    }
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
    const ARCH_FLASH struct link_taker *taker = taker_find(header > 0, type);
    if (taker == 0) {
        return LOST_NO_RECEIVER;
    }
    if (taker->what != LINK_TAKES_ALL) {
        payload = (uint8_t)(payload + header);
    }
    note_info(packet, payload, frame, type);
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

/* Whether it is a repetition. Of a secured frame, the counter has told that it is new, and the
 * number says nothing more. */
static bool is_repetition(const struct link_frame *frame)
{
    return frame->has_sequence && !frame->is_secured &&
           !link_sequence_is_new(&frame->source, frame->sequence);
}

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
    if (lost == LOST_NONE && frame->source.short_address != LINK_ALL) {
        lost = is_repetition(frame) ? LOST_DUPLICATE : LOST_NONE;
        if (neighbour_heard != 0) {
            neighbour_heard(&frame->source, packet_attributes(packet));
        }
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
