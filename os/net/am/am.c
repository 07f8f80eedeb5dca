/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <lichen/am.h>

#include <lichen/kernel.h>

#include "net/am/dispatch.h"
#include "net/link/link.h"

/* What is sent. Its packet is made at the kernel level, in the call that sends it: so a thread that
 * is destroyed meanwhile has no packet that nobody would free.
 */
struct message {
    const void *payload;
    uint16_t destination;
    uint8_t type;
    uint8_t length;
};

static int make(struct link_transfer *transfer, const struct message *message)
{
    const uint8_t header[AM_HEADER_BYTES] = {AM_DISPATCH, message->type};
    int error = packet_alloc(&transfer->packet, ARCH_TEXT("am"), LINK_HEADROOM,
                             (uint16_t)(sizeof(header) + message->length));

    if (error == 0) {
        packet_write(transfer->packet, 0, header, sizeof(header));
        packet_write(transfer->packet, sizeof(header), message->payload, message->length);
        transfer->destination.short_address = message->destination;
    }
    return error;
}

/* Of a thread that waits. */
struct call {
    struct link_call link;
    struct message message;
};

static int send(void *call_)
{
    struct call *call = call_;
    int error = make(&call->link.transfer, &call->message);

    return error == 0 ? link_send_here(&call->link) : error;
}

int am_send_until(uint16_t destination, uint8_t type, const void *payload, uint8_t length,
                  uint64_t deadline)
{
    struct call call;

    call.message = (struct message){payload, destination, type, length};
    return link_send_by_until(send, &call.link, deadline);
}

int am_send(uint16_t destination, uint8_t type, const void *payload, uint8_t length)
{
    struct call call;

    call.message = (struct message){payload, destination, type, length};
    return link_send_by(send, &call.link);
}

static int begin(void *transfer_, void *message)
{
    struct link_transfer *transfer = transfer_;

    if (transfer->active) {
        return ERR_BUSY;
    }
    int error = make(transfer, message);
    if (error == 0) {
        error = link_begin_here(transfer);
        if (error != 0) {
            packet_free(transfer->packet);
        }
    }
    return error;
}

int am_begin(struct link_transfer *transfer, uint16_t destination, uint8_t type,
             const void *payload, uint8_t length)
{
    struct message message = {payload, destination, type, length};

    return kernel_run_with(begin, transfer, &message);
}
