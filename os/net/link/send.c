/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Transfers, from the caller's side. All but the last three functions run at the kernel level.
 *
 * A transfer is in one of two lists, or transmit.c has a copy of it, to make its frame and to send
 * it: giving it up returns the caller's memory at once, and the packet's as soon as the radio does
 * not send it.
 */
#include <stddef.h>

#include "net/link/format.h"

#pragma weak link_answer_next

__asm__(".global link_request_event"); /* the usual form */

void link_append(struct link_transfer **list, struct link_transfer *transfer)
{
    while (*list != 0) {
        list = &(*list)->next;
    }
    transfer->next = 0;
    *list = transfer;
}

static bool take_out(struct link_transfer **list, struct link_transfer *transfer)
{
    for (; *list != 0; list = &(*list)->next) {
        if (*list == transfer) {
            *list = transfer->next;
            return true;
        }
    }
    return false;
}

/* Behind syscall_end the transfer may be gone. */
void link_end(struct link_transfer *transfer, int result)
{
    struct syscall *call = transfer->call;

    transfer->result = (uint8_t)result;
    transfer->active = false;
    if (call != 0) {
        syscall_end(call, result);
    } else if (transfer->ended != 0) {
        event_post(transfer->ended);
    }
}

static bool withdraw(struct link_transfer *transfer)
{
    if (link_withdraw_made(transfer)) {
        return true;
    }
    bool waits =
        take_out(&link_state.to_send, transfer) || take_out(&link_state.for_children, transfer);

    if (waits) {
        packet_free(transfer->packet);
        if (link_answer_next != 0) {
            link_answer_next();
        }
    }
    return waits;
}

int link_begin_here(struct link_transfer *transfer)
{
    if (transfer->active) {
        return ERR_BUSY;
    }
    if (!link_state.is_open || packet_length(transfer->packet) > link_format_payload ||
        !link_format_reaches(&transfer->destination)) {
        return ERR_INVALID;
    }
    transfer->active = true;
    transfer->sent = 0;
    transfer->pending = false;
    transfer->is_polled = false;
    transfer->polls = 0;
    transfer->is_frame = false;
    link_append(&link_state.to_send, transfer);
    link_request();
    return 0;
}

static int begin(void *transfer_)
{
    struct link_transfer *transfer = transfer_;

    transfer->kind = LINK_DATA;
    transfer->call = 0;
    return link_begin_here(transfer);
}

static int cancel(void *transfer_)
{
    struct link_transfer *transfer = transfer_;

    if (!transfer->active) {
        return ERR_EMPTY;
    }
    if (!withdraw(transfer)) {
        transfer->is_polled = false; /* it does not wait for another poll */
        return ERR_BUSY;
    }
    link_end(transfer, ERR_CANCELLED);
    return 0;
}

/* The deadline has passed, or the thread has ended. */
static void give_up(struct syscall *syscall)
{
    struct link_call *call = (struct link_call *)(void *)syscall;

    if (!withdraw(&call->transfer)) {
        link_give_up(&call->transfer);
    }
}

int link_send_here(void *call_)
{
    struct link_call *call = call_;
    int error = link_begin_here(&call->transfer);

    if (error != 0) {
        packet_free(call->transfer.packet);
        return error;
    }
    call->syscall.cancel = give_up;
    return syscall_wait(&call->syscall);
}

/* Of most addresses, two bytes count. */
static void note(struct link_transfer *transfer, const struct link_address *destination,
                 packet_t packet)
{
    if (destination->short_address == LINK_EXTENDED) {
        transfer->destination = *destination;
    }
    transfer->destination.short_address = destination->short_address;
    transfer->packet = packet;
}

int link_send_unlimited(const struct link_address *destination, packet_t packet)
{
    struct link_call call;

    note(&call.transfer, destination, packet);
    return link_send_by(link_send_here, &call);
}

int link_send_until(const struct link_address *destination, packet_t packet, uint64_t deadline)
{
    struct link_call call;

    note(&call.transfer, destination, packet);
    return link_send_by_until(link_send_here, &call, deadline);
}

int link_begin(struct link_transfer *transfer)
{
    return kernel_run(begin, transfer);
}

int link_cancel(struct link_transfer *transfer)
{
    return kernel_run(cancel, transfer);
}
