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

#pragma weak link_access_ahead
#pragma weak link_access_withdraw
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
    MADE,   /* it waits for the end of the one before it */
    SENDING,
    ON_AIR, /* or it was, and is perhaps sent again */
};

/* One frame is sent, and one is made ahead: while the other one is on the air, since before that,
 * making would delay it. While `front` is free, the other one is, too. */
static struct slot {
    struct link_sending sending; /* first: a pointer to it is one to its slot */
    volatile uint8_t phase;      /* enum phase */
} slots[2];

static uint8_t front;        /* of `slots`: the one that is sent, or will be next */
static struct slot *in_work; /* the one that is taken last */

/* -------- at the kernel level */

struct link_transfer *link_current(void)
{
    return slots[front].sending.transfer;
}

static void take_copy(struct link_sending *sending, struct link_transfer *transfer)
{
    sending->transfer = transfer;
    sending->destination = transfer->destination;
    sending->packet = transfer->packet;
    sending->kind = transfer->kind;
    sending->is_polled = transfer->is_polled;
    sending->wants_ack = (transfer->flags & LINK_UNACKNOWLEDGED) == 0 &&
                         transfer->destination.short_address != LINK_ALL;
    sending->more = transfer->is_polled && link_waits != 0 && link_waits(&transfer->destination);
    sending->is_frame = transfer->is_frame;
    sending->sequence = transfer->sequence;
    sending->sent = 0;
    sending->pending = false;
}

/* A parent makes nothing ahead: an answer for a child, which listens for a short time only, would
 * have to wait for it, or overtake it, with a larger number and counter. */
static struct slot *find_slot(void)
{
    struct slot *slot = &slots[front];

    if (slot->phase == ON_AIR && link_wait_for_child == 0) {
        slot = &slots[front ^ 1];
    }
    return slot->phase == FREE ? slot : 0;
}

static int take(void *nothing)
{
    struct link_transfer *transfer = link_state.to_send;
    struct slot *slot = find_slot();

    (void)nothing;
    if (slot == 0 || transfer == 0) {
        return ERR_EMPTY;
    }
    slot->phase = MAKING;
    in_work = slot;
    link_state.to_send = transfer->next;
    take_copy(&slot->sending, transfer);
    return 0;
}

static void wait_for_child(void *nothing)
{
    struct link_sending *sending = &in_work->sending;
    struct link_transfer *transfer = sending->transfer;

    (void)nothing;
    in_work->phase = FREE;
    sending->transfer = 0;
    if (transfer != 0) {
        link_wait_for_child(transfer);
    } else {
        packet_free(sending->packet);
    }
}

static void start(struct slot *slot)
{
    slot->phase = SENDING;
    link_access(&slot->sending);
}

struct link_sending *link_next(void)
{
    struct slot *next = &slots[front ^ 1];

    if (next->phase == FREE) {
        return 0;
    }
    front ^= 1;
    if (next->phase != MADE) {
        return 0;
    }
    next->phase = SENDING;
    return &next->sending;
}

void link_is_on_air(void)
{
    if (slots[front].phase == SENDING) {
        slots[front].phase = ON_AIR;
        link_go_on();
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
static void end(struct slot *slot, int error, uint8_t lost)
{
    struct link_sending *sending = &slot->sending;
    struct link_transfer *transfer = sending->transfer;
    bool ends = true;

    slot->phase = FREE;
    sending->transfer = 0;
    if (error == 0) {
        link_add(&link_counters.sent);
    }
    if (neighbour_tried != 0 && sending->wants_ack && sending->sent > 0) {
        neighbour_tried(&sending->destination, sending->sent, error == 0);
    }
    sending->result = (uint8_t)error;
    if (sending->is_polled && link_answered != 0) {
        ends = link_answered(transfer, sending, lost);
    } else if (lost != LOST_NONE) {
        link_lose(lost);
    }
    if (ends) {
        packet_free(sending->packet);
    }
    if (transfer != 0 && ends) {
        transfer->sent = sending->sent;
        transfer->pending = sending->pending;
        link_end(transfer, sending->result);
    }
    link_go_on();
}

void link_access_ended(struct link_sending *sending, int error)
{
    end((struct slot *)sending, error, lost_by(error));
}

static void begin(void *nothing)
{
    struct slot *slot = in_work;

    (void)nothing;
    slot->phase = MADE;
    if (slot->sending.transfer == 0) {
        end(slot, ERR_CANCELLED, LOST_NONE);
    } else if (slot == &slots[front]) {
        start(slot);
    } else {
        link_access_ahead(&slot->sending);
    }
}

static void refuse(void *lost)
{
    end(in_work, ERR_FULL, (uint8_t)(uintptr_t)lost);
}

static struct slot *slot_of(const struct link_transfer *transfer)
{
    for (uint8_t i = 0; i < 2; i++) {
        if (slots[i].sending.transfer == transfer) {
            return &slots[i];
        }
    }
    return 0;
}

bool link_withdraw_made(const struct link_transfer *transfer)
{
    struct slot *slot = slot_of(transfer);

    if (slot == 0 || slot->phase != MADE) {
        return false;
    }
    link_access_withdraw();
    packet_free(slot->sending.packet);
    slot->phase = FREE;
    slot->sending.transfer = 0;
    link_go_on();
    return true;
}

void link_give_up(const struct link_transfer *transfer)
{
    struct slot *slot = slot_of(transfer);

    if (slot != 0) {
        slot->sending.transfer = 0;
        if (slot->phase >= SENDING) {
            link_access_give_up();
        }
    }
}

bool link_is_sending(void)
{
    return slots[front].phase != FREE;
}

/* -------- making */

/* Somebody else may have a reference to the packet, if the program makes any: then the frame is a
 * copy. */
static uint8_t build(struct link_sending *sending)
{
    if (sending->is_frame) {
        link_format_renew(sending);
        return LOST_NONE;
    }
    if (packet_unshare != 0 && packet_unshare(&sending->packet) != 0) {
        return LOST_NO_BLOCK;
    }
    return link_format_build(sending);
}

/* Its receiver is a child that has not asked for it. */
static bool must_wait(const struct link_sending *sending)
{
    return link_wait_for_child != 0 && sending->kind == LINK_DATA && !sending->is_polled &&
           neighbour_is_child(&sending->destination);
}

static void make(void)
{
    uint8_t lost = build(&in_work->sending);

    if (lost == LOST_NONE) {
        kernel_do(begin, 0);
    } else {
        kernel_do(refuse, (void *)(uintptr_t)lost);
    }
}

bool link_transmit(void)
{
    if (kernel_run(take, 0) != 0) {
        return false;
    }
    if (must_wait(&in_work->sending)) {
        kernel_do(wait_for_child, 0);
    } else {
        make();
    }
    if (link_guard_reserve_ahead != 0) {
        link_guard_reserve_ahead();
    }
    return true;
}
