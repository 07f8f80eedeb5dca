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

static inline __attribute__((always_inline)) uint8_t
deliver(const uint8_t *frame, uint8_t number, taker_find_fn *find)
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

uint8_t byte_link_deliver_declared(const uint8_t *frame, uint8_t number)
{
    return deliver(frame, number, taker_find);
}

uint8_t byte_link_deliver_of_programs(const uint8_t *frame, uint8_t number)
{
    return deliver(frame, number, taker_find_of_programs);
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

/* What a program has not taken. */
void byte_link_program_left(const struct program *program)
{
    const ARCH_FLASH struct link_taker *taker = program_takers(program);
    packet_t number;

    for (uint8_t left = program->header->receivers; left > 0; left--, taker++) {
        while (queue_try_receive(&taker->receiver->queue, &number) == 0) {
            byte_link_free_frame(number);
        }
    }
}
