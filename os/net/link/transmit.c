/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* From a transfer to a frame: takes transfers one after the other, makes their frames, and ends
 * them. All but making runs at the kernel level.
 *
 * The packet is the link's: freed where its transfer ends, exactly once, whether or not somebody
 * still waits for that.
 */
#include "net/link/format.h"
#include "net/link/guard.h"
#include "net/neighbour/neighbour.h"

#pragma weak link_guard_reserve_ahead
#pragma weak neighbour_is_child
#pragma weak neighbour_tried
#pragma weak link_waits
#pragma weak link_wait_for_child
#pragma weak link_answered
#pragma weak link_format_renew
#pragma weak packet_unshare

enum phase {
    FREE,
    MAKING, /* the frame */
    SENDING,
};

static struct link_sending sending;
static volatile uint8_t phase; /* enum phase */

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
    if (phase != FREE) {
        return ERR_BUSY;
    }
    link_state.current = transfer;
    if (transfer == 0) {
        return ERR_EMPTY;
    }
    phase = MAKING;
    link_state.to_send = transfer->next;
    take_copy(transfer);
    return 0;
}

static void wait_for_child(void *nothing)
{
    struct link_transfer *transfer = link_state.current;

    (void)nothing;
    phase = FREE;
    link_state.current = 0;
    if (transfer != 0) {
        link_wait_for_child(transfer);
    } else {
        packet_free(sending.packet);
    }
}

static uint8_t lost_by(int error)
{
    return error == 0 || error == ERR_CANCELLED ? LOST_NONE
           : error == ERR_CHANNEL               ? LOST_CHANNEL
           : error == ERR_NO_ACK                ? LOST_NO_ACK
                                                : LOST_RADIO;
}

/* `lost` says why, if the error does not. */
static void end(int error, uint8_t lost)
{
    struct link_transfer *transfer = link_state.current;
    bool ends = true;

    phase = FREE;
    if (error == 0) {
        link_add(&link_counters.sent);
    }
    if (neighbour_tried != 0 && sending.wants_ack && sending.sent > 0) {
        neighbour_tried(&sending.destination, sending.sent, error == 0);
    }
    sending.result = (uint8_t)error;
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
    link_go_on();
}

void link_access_ended(int error)
{
    end(error, lost_by(error));
}

static void begin(void *nothing)
{
    (void)nothing;
    phase = SENDING;
    if (link_state.current == 0) {
        end(ERR_CANCELLED, LOST_NONE);
    } else {
        link_access(&sending);
    }
}

static void refuse(void *lost)
{
    end(ERR_FULL, (uint8_t)(uintptr_t)lost);
}

void link_give_up(void)
{
    link_state.current = 0;
    if (phase == SENDING) {
        link_access_give_up();
    }
}

bool link_is_sending(void)
{
    return phase != FREE;
}

/* -------- making */

/* Somebody else may have a reference to the packet, if the program makes any: then the frame is a
 * copy. */
static uint8_t build(void)
{
    if (sending.is_frame) {
        link_format_renew(&sending);
        return LOST_NONE;
    }
    if (packet_unshare != 0 && packet_unshare(&sending.packet) != 0) {
        return LOST_NO_BLOCK;
    }
    return link_format_build(&sending);
}

/* Its receiver is a child that has not asked for it. */
static bool must_wait(void)
{
    return link_wait_for_child != 0 && sending.kind == LINK_DATA && !sending.is_polled &&
           neighbour_is_child(&sending.destination);
}

static void make(void)
{
    uint8_t lost = build();

    if (lost == LOST_NONE) {
        kernel_do(begin, 0);
    } else {
        kernel_do(refuse, (void *)(uintptr_t)lost);
    }
}

void link_transmit(void)
{
    while (kernel_run(take, 0) == 0) {
        if (must_wait()) {
            kernel_do(wait_for_child, 0);
        } else {
            make();
        }
        if (link_guard_reserve_ahead != 0) {
            link_guard_reserve_ahead();
        }
    }
}
