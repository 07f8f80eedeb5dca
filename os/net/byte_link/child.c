/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Packets that wait until their sleepy receiver asks for them. All of it runs at the kernel level.
 *
 * An acknowledgment cannot say whether something waits, so a child that asks always gets a frame.
 * One that it does not acknowledge waits again, in front of the others. */
#include <lichen/timer.h>

#include "net/byte_link/byte_link.h"
#include "net/neighbour/neighbour.h"

__asm__(".global byte_link_received");

EVENT_EXTERN(byte_link_second);
static TIMER(second, byte_link_second);

static struct link_transfer *waiting;

static void begin_second(void)
{
    (void)!timer_arm_after(&second, TIME_US_PER_S);
}

EVENT(byte_link_second)
{
    struct link_transfer **link = &waiting;

    while (*link != 0) {
        struct link_transfer *transfer = *link;
        transfer->seconds_left--;
        if (transfer->seconds_left > 0) {
            link = &transfer->next;
        } else {
            *link = transfer->next;
            byte_link_lose(LOST_NOT_ASKED_FOR);
            byte_link_end(transfer, ERR_TIMEOUT);
        }
    }
    if (waiting != 0) {
        begin_second();
    }
}

bool byte_link_child_waits(struct link_transfer *transfer)
{
    if (transfer->is_polled || transfer->kind == KIND_REQUEST ||
        !neighbour_is_child(&transfer->destination)) {
        return false;
    }
    transfer->seconds_left = LINK_CHILD_S;
    byte_link_append(&waiting, transfer);
    begin_second();
    return true;
}

/* It keeps the seconds that it has left. */
bool byte_link_child_retries(struct link_transfer *transfer)
{
    if (!transfer->is_polled || transfer->kind == KIND_NOTHING || transfer->seconds_left == 0) {
        return false;
    }
    transfer->is_polled = false;
    transfer->next = waiting;
    waiting = transfer;
    begin_second();
    return true;
}

/* Takes the first one for a child out of the list; 0: there is none. */
static struct link_transfer *take(uint16_t child)
{
    for (struct link_transfer **link = &waiting; *link != 0; link = &(*link)->next) {
        struct link_transfer *transfer = *link;
        if (transfer->destination.short_address == child) {
            *link = transfer->next;
            return transfer;
        }
    }
    return 0;
}

bool byte_link_child_withdraws(struct link_transfer *transfer)
{
    for (struct link_transfer **link = &waiting; *link != 0; link = &(*link)->next) {
        if (*link == transfer) {
            *link = transfer->next;
            return true;
        }
    }
    return false;
}

/* By an empty packet. While one is on its way, another child that asks listens in vain. */
static void say_nothing_waits(uint16_t child)
{
    static struct link_transfer answer = {.flags = LINK_UNACKNOWLEDGED, .kind = KIND_NOTHING};

    if (!answer.active) {
        answer.destination.short_address = child;
        answer.active = true;
        byte_link_send_first(&answer);
    }
}

/* What is under way to it is its answer. */
void byte_link_child_asks(uint16_t child)
{
    const struct link_transfer *current = byte_link_state.current;

    if (current != 0 && current->is_polled && current->destination.short_address == child) {
        return;
    }
    struct link_transfer *transfer = take(child);
    if (transfer != 0) {
        byte_link_send_first(transfer);
    } else {
        say_nothing_waits(child);
    }
}

/* An answer for one that is no child any more does not wait for another poll, */
static void forget_polls(uint16_t child)
{
    struct link_transfer *current = byte_link_state.current;

    if (current != 0 && current->destination.short_address == child) {
        current->is_polled = false;
    }
    for (struct link_transfer *transfer = byte_link_state.to_send; transfer != 0;
         transfer = transfer->next) {
        if (transfer->destination.short_address == child) {
            transfer->is_polled = false;
        }
    }
}

/* and what has waited for it is sent as usual. */
static int change(void *address_, void *is_child)
{
    uint16_t address = ((const struct link_address *)address_)->short_address;
    struct link_transfer *transfer;

    if (!neighbour_set_child(address_, is_child != 0)) {
        return is_child != 0 ? ERR_FULL : 0;
    }
    if (is_child == 0) {
        forget_polls(address);
        while ((transfer = take(address)) != 0) {
            byte_link_append(&byte_link_state.to_send, transfer);
        }
        cc1000_driver_serve();
    }
    return 0;
}

int link_child(const struct link_address *address, bool is_child)
{
    if (address->short_address == LINK_ALL) {
        return ERR_INVALID;
    }
    return kernel_run_with(change, (void *)(uintptr_t)address, (void *)(uintptr_t)is_child);
}
