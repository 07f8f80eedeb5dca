/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* From a frame to its receiver, and from the receiver's queue to the program. Not in a program that
 * receives nothing. */
#include <string.h>

#include "net/am/taker.h"
#include "net/byte_link/byte_link.h"

bool byte_link_read(const uint8_t *frame, struct byte_link_content *content)
{
    content->bytes = frame + HEADER_BYTES;
    content->length = frame[LENGTH_AT];
    content->type = frame[TYPE_AT];
    if (content->type < TYPE_PACKET) {
        return true;
    }
    if (content->length < AM_HEADER_BYTES || content->bytes[0] != AM_DISPATCH) {
        return false;
    }
    content->type = content->bytes[1];
    content->bytes += AM_HEADER_BYTES;
    content->length -= AM_HEADER_BYTES;
    return true;
}

uint8_t byte_link_deliver(const uint8_t *frame, uint8_t number)
{
    struct byte_link_content content;
    bool is_message = byte_link_read(frame, &content);

    const ARCH_FLASH struct link_taker *taker = taker_find(is_message, content.type);
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

static void read(uint8_t number, struct am_message *message, void *payload, uint8_t size)
{
    const uint8_t *frame = byte_link_frame(number);
    struct byte_link_content content;

    (void)byte_link_read(frame, &content);
    message->source = byte_link_source(frame);
    message->type = content.type;
    message->length = content.length;
    message->dbm = (int8_t)frame[-1];
    message->lqi = 0;
    message->to_all = byte_link_u16(frame) == LINK_ALL;
    memcpy(payload, content.bytes, content.length < size ? content.length : size);
    byte_link_free_frame(number);
}

int am_receive(struct link_receiver *receiver, struct am_message *message, void *payload,
               uint8_t size, uint64_t deadline)
{
    packet_t number;
    int error = 0;

    if (deadline == TIME_NEVER) {
        queue_receive(&receiver->queue, &number);
    } else {
        error = queue_receive_until(&receiver->queue, &number, deadline);
    }
    if (error == 0) {
        read(number, message, payload, size);
    }
    return error;
}

int am_try_receive(struct link_receiver *receiver, struct am_message *message, void *payload,
                   uint8_t size)
{
    packet_t number;
    int error = queue_try_receive(&receiver->queue, &number);

    if (error == 0) {
        read(number, message, payload, size);
    }
    return error;
}
