/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* net-tx: takes transfers one after the other. */
#include "net/link/format.h"
#include "net/link/guard.h"

#pragma weak link_guard_reserve_ahead
#pragma weak link_waits
#pragma weak link_wait_for_child
#pragma weak link_say_pending

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

static void end(void *nothing)
{
    struct link_transfer *transfer = link_state.current;

    (void)nothing;
    link_state.current = 0;
    if (transfer != 0) {
        transfer->sent = sending.sent;
        transfer->pending = sending.pending;
        link_end(transfer, sending.result);
    }
    if (sending.is_polled && link_say_pending != 0) {
        link_say_pending();
    }
}

/* -------- in the thread */

/* Somebody else may have a reference to the packet: then the frame is a copy. */
static uint8_t build(void)
{
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
    packet_free(sending.packet);
    if (lost == LOST_NONE) {
        link_add(&link_counters.sent);
    } else {
        link_lose(lost);
    }
    if (sending.wants_ack && sending.sent > 0) {
        link_tried(&sending.destination, sending.sent, error == 0);
    }
    sending.result = (uint8_t)error;
    kernel_do(end, 0);
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
        if (link_guard_reserve_ahead != 0) {
            link_guard_reserve_ahead();
        }
    }
}
