/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* From a frame to its receiver, and to a packet of its own: for receivers of the image, and in images
 * that load programs for all (programs.c). */
#ifndef NET_BYTE_LINK_DELIVER_H
#define NET_BYTE_LINK_DELIVER_H

#include <lichen/print.h>

#include "net/am/taker.h"
#include "net/byte_link/byte_link.h"

static inline __attribute__((always_inline)) uint8_t
byte_link_deliver_by(taker_find_fn *find, const uint8_t *frame, uint8_t number)
{
    struct byte_link_content content;
    bool is_message = byte_link_read(frame, &content);

    const ARCH_FLASH struct link_taker *taker = find(is_message, content.type);
    if (taker == 0) {
        return LOST_NO_RECEIVER;
    }
    struct link_receiver *receiver = taker->receiver;
    if (queue_try_send(&receiver->queue, &number) != 0) {
        return LOST_RECEIVER_FULL;
    }
    byte_link_count(&byte_link_counters.received);
    if (receiver->event != 0) {
        event_post(receiver->event);
    }
    return LOST_NONE;
}

/* How many bytes of a message's header a receiver gets. */
typedef uint8_t byte_link_head_fn(const struct link_receiver *receiver, bool is_message);

/* The same by a table, or `head`, if it does not have the receiver. */
static inline __attribute__((always_inline)) uint8_t
byte_link_head_in(const ARCH_FLASH struct link_taker *begin,
                  const ARCH_FLASH struct link_taker *end, const struct link_receiver *receiver,
                  bool is_message, uint8_t head)
{
    for (const ARCH_FLASH struct link_taker *taker = begin; taker != end; taker++) {
        if (taker->receiver == receiver && taker->what == LINK_TAKES_ALL && is_message) {
            head = AM_HEADER_BYTES;
        }
    }
    return head;
}

/* Copies a frame into a packet, and frees it. A receiver of all packets gets a message with its type
 * in front. */
static inline __attribute__((always_inline)) int
byte_link_to_packet_by(byte_link_head_fn *head_of, const struct link_receiver *receiver,
                       uint8_t number, struct link_info *info, packet_t *packet)
{
    const uint8_t *frame = byte_link_frame(number);
    struct byte_link_content content;
    bool is_message = byte_link_read(frame, &content);
    uint8_t head = head_of(receiver, is_message);

    info->source = link_short(byte_link_source(frame));
    info->type = content.type;
    info->to_all = byte_link_u16(frame) == LINK_ALL;
    info->is_secured = false;
    int error = packet_alloc_receive(packet, TEXT("link"), (uint16_t)(head + content.length));
    if (error == 0) {
        const uint8_t dispatch[AM_HEADER_BYTES] = {AM_DISPATCH, content.type};
        packet_write(*packet, 0, dispatch, head);
        packet_write(*packet, head, content.bytes, content.length);
        packet_attributes(*packet)->dbm = (int8_t)frame[-1];
        packet_attributes(*packet)->channel = cc1000_settings.channel;
    }
    byte_link_free_frame(number);
    return error;
}

#endif
