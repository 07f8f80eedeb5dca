/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The transfer that is being sent: its frame, when it is sent, and how often.
 *
 * Backoffs are those of TinyOS's stack for this radio: 1 to 32 bytes at first, 1 to 16 behind a
 * look at a channel that was busy. Unlike there, looks have an end. */
#include <lichen/random.h>

#include "net/byte_link/byte_link.h"
#include "net/neighbour/neighbour.h"

#pragma weak byte_link_frame
#pragma weak byte_link_packet_read
#pragma weak byte_link_child_waits
#pragma weak byte_link_child_retries
#pragma weak neighbour_tried

enum {
    BACKOFF_MASK = 31, /* bytes, and one more */
    CONGESTION_MASK = 15,
    RETRIES = 3,
    LOOKS = 64, /* at a busy channel: for 250 ms in the mean, four of the longest frames */
};

static struct {
    uint8_t head[HEADER_BYTES + AM_HEADER_BYTES];
    uint8_t retries; /* that are left */
    uint8_t looks;
    bool was_busy;
} attempt;

/* -------- its frame */

static void read_content(const struct link_transfer *transfer, struct byte_link_content *content)
{
    content->length = 0;
    content->type = TYPE_PACKET;
    if (transfer->kind == KIND_MESSAGE) {
        const struct byte_link_call *call =
            (const struct byte_link_call *)(const void *)transfer->call;
        *content = ((const struct byte_link_message *)(const void *)call)->content;
    } else if (transfer->kind == KIND_FRAME && byte_link_frame != 0) {
        const uint8_t *frame = byte_link_frame(transfer->packet);
        content->bytes = frame + HEADER_BYTES;
        content->length = frame[LENGTH_AT];
        content->type = frame[TYPE_AT];
    } else if (transfer->kind == KIND_PACKET && byte_link_packet_read != 0) {
        byte_link_packet_read(transfer->packet, content);
    }
}

/* Messages of the link's types are packets. */
static void write_type(const struct link_transfer *transfer, uint8_t type)
{
    bool is_packet = transfer->kind == KIND_MESSAGE || transfer->kind == KIND_FRAME;

    cc1000_frame.head_length = HEADER_BYTES;
    if (transfer->kind == KIND_REQUEST) {
        type = TYPE_REQUEST;
    } else if (is_packet && type >= TYPE_PACKET) {
        attempt.head[HEADER_BYTES] = AM_DISPATCH;
        attempt.head[HEADER_BYTES + 1] = type;
        attempt.head[LENGTH_AT] += AM_HEADER_BYTES;
        cc1000_frame.head_length = HEADER_BYTES + AM_HEADER_BYTES;
        type = TYPE_PACKET;
    }
    attempt.head[TYPE_AT] = type;
}

static void compose(const struct link_transfer *transfer)
{
    uint16_t destination = transfer->destination.short_address;
    struct byte_link_content content;

    read_content(transfer, &content);
    attempt.head[0] = (uint8_t)(destination >> 8);
    attempt.head[1] = (uint8_t)destination;
    attempt.head[SOURCE_AT] = (uint8_t)(byte_link_state.own >> 8);
    attempt.head[SOURCE_AT + 1] = (uint8_t)byte_link_state.own;
    attempt.head[LENGTH_AT] = content.length;
    attempt.head[GROUP_AT] = byte_link_state.group;
    write_type(transfer, content.type);
    cc1000_frame.head = attempt.head;
    cc1000_frame.payload = content.bytes;
    cc1000_frame.payload_length = content.length;
}

static bool wants_ack(const struct link_transfer *transfer)
{
    return (transfer->flags & LINK_UNACKNOWLEDGED) == 0 &&
           transfer->destination.short_address != LINK_ALL;
}

bool byte_link_next(void)
{
    while (byte_link_state.current == 0) {
        struct link_transfer *transfer = byte_link_state.to_send;
        if (transfer == 0) {
            return false;
        }
        byte_link_state.to_send = transfer->next;
        if (byte_link_child_waits != 0 && byte_link_child_waits(transfer)) {
            continue;
        }
        compose(transfer);
        cc1000_frame.flags = CC1000_BACKS_OFF | (wants_ack(transfer) ? CC1000_AWAITS : 0);
        attempt.retries = RETRIES;
        attempt.looks = LOOKS;
        attempt.was_busy = false;
        byte_link_state.current = transfer;
    }
    return true;
}

/* -------- its attempts */

uint8_t byte_link_waits(bool begins)
{
    uint8_t mask = attempt.was_busy ? CONGESTION_MASK : BACKOFF_MASK;

    if (!begins || byte_link_state.current == 0) {
        return 0;
    }
    attempt.was_busy = false;
    return (uint8_t)(1 + (random_u32() & mask));
}

bool byte_link_goes(void)
{
    byte_link_state.is_on_air = byte_link_state.current != 0;
    return byte_link_state.is_on_air;
}

void byte_link_left(void)
{
    if (byte_link_state.current != 0) {
        byte_link_state.current->sent++;
    }
}

static bool is_tried_again(uint8_t result)
{
    if (result == ERR_CHANNEL && attempt.looks > 0) {
        attempt.looks--;
        attempt.was_busy = true;
        return true;
    }
    if (result == ERR_NO_ACK && attempt.retries > 0) {
        attempt.retries--;
        return true;
    }
    return false;
}

static void end(struct link_transfer *transfer, uint8_t result)
{
    if (neighbour_tried != 0 && wants_ack(transfer) && transfer->sent > 0) {
        neighbour_tried(&transfer->destination, transfer->sent, result == 0);
    }
    if (result == 0) {
        byte_link_count(&byte_link_counters.sent);
    } else if (result == ERR_NO_ACK && byte_link_child_retries != 0 &&
               byte_link_child_retries(transfer)) {
        return;
    } else {
        byte_link_lose(result == ERR_CHANNEL  ? LOST_CHANNEL
                       : result == ERR_NO_ACK ? LOST_NO_ACK
                                              : LOST_RADIO);
    }
    byte_link_end(transfer, result == ERR_TIMEOUT ? ERR_IO : result);
}

bool byte_link_sent(uint8_t result)
{
    struct link_transfer *transfer = byte_link_state.current;

    byte_link_state.is_on_air = false;
    if (transfer == 0) {
        return false;
    }
    if (is_tried_again(result)) {
        return true;
    }
    byte_link_state.current = 0;
    end(transfer, result);
    return false;
}
