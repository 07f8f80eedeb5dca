/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Transfers. All but byte_link_run and link_cancel run at the kernel level.
 *
 * A transfer is in the list, waits for a child, or is the current one. If it is given up while its
 * frame is on the air, the frame is cut off: the bytes may be those of a thread that has ended. */
#include "net/byte_link/byte_link.h"

#pragma weak byte_link_free_frame
#pragma weak byte_link_packet_free
#pragma weak byte_link_child_withdraws

void byte_link_append(struct link_transfer **list, struct link_transfer *transfer)
{
    while (*list != 0) {
        list = &(*list)->next;
    }
    transfer->next = 0;
    *list = transfer;
}

void byte_link_send_first(struct link_transfer *transfer)
{
    transfer->is_polled = true;
    transfer->next = byte_link_state.to_send;
    byte_link_state.to_send = transfer;
    cc1000_driver_serve();
}

int byte_link_begin(struct link_transfer *transfer)
{
    if (transfer->active) {
        return ERR_BUSY;
    }
    if (!byte_link_state.is_open || transfer->destination.short_address == LINK_EXTENDED) {
        return ERR_INVALID;
    }
    transfer->active = true;
    transfer->sent = 0;
    transfer->pending = false;
    transfer->is_polled = false;
    byte_link_append(&byte_link_state.to_send, transfer);
    cc1000_driver_serve();
    return 0;
}

static void release(const struct link_transfer *transfer)
{
    if (transfer->kind == KIND_FRAME && byte_link_free_frame != 0) {
        byte_link_free_frame(transfer->packet);
    } else if (transfer->kind == KIND_PACKET && byte_link_packet_free != 0) {
        byte_link_packet_free(transfer->packet);
    }
}

/* Behind syscall_end the transfer may be gone. */
void byte_link_end(struct link_transfer *transfer, uint8_t result)
{
    struct syscall *call = transfer->call;

    release(transfer);
    transfer->result = result;
    transfer->active = false;
    if (call != 0) {
        syscall_end(call, result);
    } else if (transfer->ended != 0) {
        event_post(transfer->ended);
    }
}

static bool take_out(struct link_transfer *transfer)
{
    for (struct link_transfer **link = &byte_link_state.to_send; *link != 0;
         link = &(*link)->next) {
        if (*link == transfer) {
            *link = transfer->next;
            return true;
        }
    }
    return false;
}

/* Returns false: it is on the air. */
static bool withdraw(struct link_transfer *transfer)
{
    if (transfer != byte_link_state.current) {
        return take_out(transfer) ||
               (byte_link_child_withdraws != 0 && byte_link_child_withdraws(transfer));
    }
    if (!byte_link_state.is_on_air) {
        byte_link_state.current = 0;
    }
    return !byte_link_state.is_on_air;
}

/* The deadline has passed, or the thread has ended. */
static void give_up(struct syscall *syscall)
{
    struct link_transfer *transfer = &((struct byte_link_call *)(void *)syscall)->transfer;

    if (!withdraw(transfer)) {
        byte_link_state.current = 0;
        cc1000_transmit_cut();
    }
    release(transfer);
}

static int send_and_wait(void *call_)
{
    struct byte_link_call *call = call_;
    int error = byte_link_begin(&call->transfer);

    if (error != 0) {
        release(&call->transfer);
        return error;
    }
    call->syscall.cancel = give_up;
    return syscall_wait(&call->syscall);
}

static void prepare(struct byte_link_call *call, uint16_t destination, uint8_t kind)
{
    call->transfer.destination.short_address = destination;
    call->transfer.flags = 0;
    call->transfer.kind = kind;
    call->transfer.active = false;
    call->transfer.call = &call->syscall;
}

int byte_link_run(struct byte_link_call *call, uint16_t destination, uint8_t kind)
{
    prepare(call, destination, kind);
    return syscall_run(send_and_wait, &call->syscall);
}

int byte_link_run_until(struct byte_link_call *call, uint16_t destination, uint8_t kind,
                        uint64_t deadline)
{
    prepare(call, destination, kind);
    return syscall_run_until(send_and_wait, &call->syscall, deadline);
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
    byte_link_end(transfer, ERR_CANCELLED);
    return 0;
}

int link_cancel(struct link_transfer *transfer)
{
    return kernel_run(cancel, transfer);
}
