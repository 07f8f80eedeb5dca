/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Messages that are begun: each is copied into a frame, so that the caller's memory is free at
 * once. A program without them, and without receivers, has no memory for frames. */
#include <string.h>

#include "net/byte_link/byte_link.h"

enum { FRAMES_TO_RECEIVE = 2 }; /* that sending leaves, the driver's included */

static int take(void *transfer_)
{
    struct link_transfer *transfer = transfer_;

    if (transfer->active) {
        return ERR_BUSY;
    }
    transfer->packet = byte_link_take_frame(FRAMES_TO_RECEIVE - (byte_link_state.receiving != 0));
    return transfer->packet != 0 ? 0 : ERR_FULL;
}

static int begin(void *transfer)
{
    return byte_link_begin(transfer);
}

int am_begin(struct link_transfer *transfer, uint16_t destination, uint8_t type,
             const void *payload, uint8_t length)
{
    if (!byte_link_fits(type, length)) {
        return ERR_INVALID;
    }
    int error = kernel_run(take, transfer);
    if (error != 0) {
        return error;
    }
    uint8_t *frame = byte_link_frame(transfer->packet);
    frame[LENGTH_AT] = length;
    frame[TYPE_AT] = type;
    memcpy(frame + HEADER_BYTES, payload, length);
    transfer->destination.short_address = destination;
    transfer->kind = KIND_FRAME;
    transfer->call = 0;
    error = kernel_run(begin, transfer);
    if (error != 0) {
        byte_link_free_frame(transfer->packet);
    }
    return error;
}
