/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* net-tx: takes transfers one after the other. */
#include "net/link/format.h"

#pragma weak link_waits
#pragma weak link_wait_for_child
#pragma weak link_answered

static struct link_sending sending;

/* -------- at the kernel level */

static void take_copy(struct link_transfer *transfer)
{
    sending.destination = transfer->destination;
    sending.packet = transfer->packet;
    sending.kind = transfer->kind;
    sending.is_polled = transfer->is_polled;
    sending.wants_ack = (transfer->flags & LINK_UNACKNOWLEDGED) == 0 &&
                        transfer->destination.short_address != LINK_ALL;
    sending.more = transfer->is_polled && link_waits != 0 && link_waits(&transfer->destination);
    sending.is_frame = transfer->is_frame;
    sending.sequence = transfer->sequence;
    sending.sent = 0;
    sending.pending = false;
}

static int take(void *nothing)
{
    struct link_transfer *transfer = link_state.to_send;

    (void)nothing;
    link_state.current = transfer;
    if (transfer == 0) {
        return ERR_EMPTY;
    }
    link_state.to_send = transfer->next;
    take_copy(transfer);
    return 0;
}

static void wait_for_child(void *nothing)
{
    struct link_transfer *transfer = link_state.current;

    (void)nothing;
    link_state.current = 0;
    if (transfer != 0) {
        link_wait_for_child(transfer);
    } else {
        packet_free(sending.packet);
    }
}

static void end(void *lost_)
{
    struct link_transfer *transfer = link_state.current;
    uint8_t lost = (uint8_t)(uintptr_t)lost_;
    bool ends = true;

    link_state.current = 0;
    if (sending.is_polled && link_answered != 0) {
        ends = link_answered(transfer, &sending, lost);
    } else if (lost != LOST_NONE) {
        link_lose(lost);
    }
    if (ends) {
        packet_free(sending.packet);
    }
    if (transfer != 0 && ends) {
        transfer->sent = sending.sent;
        transfer->pending = sending.pending;
        link_end(transfer, sending.result);
    }
}

/* -------- in the thread */

/* Somebody else may have a reference to the packet: then the frame is a copy. */
static uint8_t build(void)
{
    if (sending.is_frame) {
        link_format_renew(&sending);
        return LOST_NONE;
    }
    int error = packet_unshare(&sending.packet);

    if (error == 0 && sending.kind == LINK_DATA_REQUEST) {
        error = link_format_request(sending.packet);
    }
    return error == 0 ? link_format_build(&sending) : LOST_NO_BLOCK;
}

static uint8_t lost_by(int error)
{
    return error == 0             ? LOST_NONE
           : error == ERR_CHANNEL ? LOST_CHANNEL
           : error == ERR_NO_ACK  ? LOST_NO_ACK
                                  : LOST_RADIO;
}

static void send(void)
{
    int error = ERR_FULL;
    uint8_t lost = build();

    if (lost == LOST_NONE) {
        error = link_access(&sending);
        lost = lost_by(error);
    }
    if (lost == LOST_NONE) {
        link_add(&link_counters.sent);
    }
    if (sending.wants_ack && sending.sent > 0) {
        link_tried(&sending.destination, sending.sent, error == 0);
    }
    sending.result = (uint8_t)error;
    kernel_do(end, (void *)(uintptr_t)lost);
}

/* Its receiver is a child that has not asked for it. */
static bool must_wait(void)
{
    return link_wait_for_child != 0 && sending.kind == LINK_DATA && !sending.is_polled &&
           link_is_child(&sending.destination);
}

void link_transmit(void)
{
    while (kernel_run(take, 0) == 0) {
        if (must_wait()) {
            kernel_do(wait_for_child, 0);
        } else {
            send();
        }
    }
}
