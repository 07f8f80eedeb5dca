/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* From a frame to its receiver, and from the receiver's queue to the program. Not in a program that
 * receives nothing. */
#include "net/am/taker.h"
#include "net/byte_link/byte_link.h"
#include "net/byte_link/deliver.h"
#include "net/byte_link/read.h"

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

uint8_t byte_link_deliver_declared(const uint8_t *frame, uint8_t number)
{
    return byte_link_deliver_by(taker_find, frame, number);
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
        byte_link_read_message(number, message, payload, size);
    }
    return error;
}

int am_try_receive(struct link_receiver *receiver, struct am_message *message, void *payload,
                   uint8_t size)
{
    packet_t number;
    int error = queue_try_receive(&receiver->queue, &number);

    if (error == 0) {
        byte_link_read_message(number, message, payload, size);
    }
    return error;
}
