/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Payloads that are packets: link_send, link_begin, link_receive. They are copied: to be sent, when
 * their transfer comes first, at the kernel level, in 1,400 cycles at the most; received, by
 * whoever takes them. */
#include "net/byte_link/byte_link.h"
#include "net/byte_link/deliver.h"

/* -------- sending */

/* Whether it is a message whose type goes into the header. */
static bool is_plain_message(packet_t packet, uint8_t *type)
{
    uint8_t head[AM_HEADER_BYTES];

    if (packet_length(packet) < sizeof(head)) {
        return false;
    }
    packet_read(packet, 0, head, sizeof(head));
    *type = head[1];
    return head[0] == AM_DISPATCH && head[1] < TYPE_PACKET;
}

static bool fits(packet_t packet)
{
    uint8_t type;
    uint16_t length = packet_length(packet);

    return length <= link_frame_payload + (is_plain_message(packet, &type) ? AM_HEADER_BYTES : 0u);
}

void byte_link_packet_read(packet_t packet, struct byte_link_content *content)
{
    static uint8_t copy[PAYLOAD_MAX];
    uint8_t at = is_plain_message(packet, &content->type) ? AM_HEADER_BYTES : 0;

    if (at == 0) {
        content->type = TYPE_PACKET;
    }
    content->length = (uint8_t)(packet_length(packet) - at);
    content->bytes = copy;
    packet_read(packet, at, copy, content->length);
}

void byte_link_packet_free(packet_t packet)
{
    packet_free(packet);
}

/* The packet is the link's, whatever the result. */
static int take(struct byte_link_call *call, packet_t packet)
{
    call->transfer.packet = packet;
    if (fits(packet)) {
        return 0;
    }
    packet_free(packet);
    return ERR_INVALID;
}

int link_send_unlimited(const struct link_address *destination, packet_t packet)
{
    struct byte_link_call call;
    int error = take(&call, packet);

    return error != 0 ? error : byte_link_run(&call, destination->short_address, KIND_PACKET);
}

int link_send_until(const struct link_address *destination, packet_t packet, uint64_t deadline)
{
    struct byte_link_call call;
    int error = take(&call, packet);

    return error != 0
               ? error
               : byte_link_run_until(&call, destination->short_address, KIND_PACKET, deadline);
}

static int begin(void *transfer)
{
    return byte_link_begin(transfer);
}

int link_begin(struct link_transfer *transfer)
{
    if (!transfer->active && !fits(transfer->packet)) {
        return ERR_INVALID;
    }
    transfer->kind = KIND_PACKET;
    transfer->call = 0;
    return kernel_run(begin, transfer);
}

/* -------- receiving */

static inline __attribute__((always_inline)) uint8_t
head_of(const struct link_receiver *receiver, bool is_message)
{
    return byte_link_head_in(link_takers_begin, link_takers_end, receiver, is_message, 0);
}

int byte_link_to_packet_declared(const struct link_receiver *receiver, uint8_t number,
                                 struct link_info *info, packet_t *packet)
{
    return byte_link_to_packet_by(head_of, receiver, number, info, packet);
}

/* Returns whether there is a packet; else it is lost. */
static bool is_given(const struct link_receiver *receiver, uint8_t number, struct link_info *info,
                     packet_t *packet)
{
    if (byte_link_to_packet(receiver, number, info, packet) == 0) {
        return true;
    }
    byte_link_lose(LOST_NO_PACKET);
    return false;
}

int link_receive(struct link_receiver *receiver, struct link_info *info, packet_t *packet,
                 uint64_t deadline)
{
    packet_t number;

    do {
        if (deadline == TIME_NEVER) {
            queue_receive(&receiver->queue, &number);
        } else {
            int error = queue_receive_until(&receiver->queue, &number, deadline);
            if (error != 0) {
                return error;
            }
        }
    } while (!is_given(receiver, number, info, packet));
    return 0;
}

int link_try_receive(struct link_receiver *receiver, struct link_info *info, packet_t *packet)
{
    packet_t number;

    do {
        int error = queue_try_receive(&receiver->queue, &number);
        if (error != 0) {
            return error;
        }
    } while (!is_given(receiver, number, info, packet));
    return 0;
}
