/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Packets that wait until their sleepy receiver asks for them (802.15.4-2015, 6.7.3). All of it
 * runs at the kernel level.
 */
#include <lichen/timer.h>

#include "net/link/link.h"

EVENT_EXTERN(link_second);
static TIMER(second, link_second);
static struct link_address asking; /* net-main's, for the event that it posts */

static void begin_second(void)
{
    (void)!timer_arm_after(&second, TIME_US_PER_S);
}

void link_say_pending(void)
{
    bool waits = link_state.for_children != 0;

    if (link_radio_can(RADIO_CAN_ANNOUNCE) && waits != link_state.says_pending) {
        link_state.says_pending = waits;
        (void)!link_tune();
    }
}

EVENT(link_second)
{
    struct link_transfer **link = &link_state.for_children;

    while (*link != 0) {
        struct link_transfer *transfer = *link;
        transfer->seconds_left--;
        if (transfer->seconds_left > 0) {
            link = &transfer->next;
        } else {
            *link = transfer->next;
            packet_free(transfer->packet);
            link_lose(LOST_NOT_ASKED_FOR);
            link_end(transfer, ERR_TIMEOUT);
        }
    }
    if (link_state.for_children != 0) {
        begin_second();
    }
    link_say_pending();
}

void link_wait_for_child(struct link_transfer *transfer)
{
    transfer->seconds_left = LINK_CHILD_S;
    link_append(&link_state.for_children, transfer);
    begin_second();
    link_say_pending();
}

bool link_waits(const struct link_address *child)
{
    for (const struct link_transfer *transfer = link_state.for_children; transfer != 0;
         transfer = transfer->next) {
        if (link_same(&transfer->destination, child)) {
            return true;
        }
    }
    return false;
}

/* It goes first, since the child listens for a short time only. */
static void send_first(struct link_transfer *transfer)
{
    transfer->is_polled = true;
    transfer->next = link_state.to_send;
    link_state.to_send = transfer;
    link_request();
}

/* By an empty packet. While one is on its way, another child that asks listens in vain. */
static void say_nothing_waits(void)
{
    static struct link_transfer answer = {.flags = LINK_UNACKNOWLEDGED};

    if (!answer.active &&
        packet_alloc(&answer.packet, ARCH_TEXT("no data"), LINK_HEADROOM, 0) == 0) {
        answer.destination = asking;
        answer.active = true;
        send_first(&answer);
    }
}

/* What acknowledgments say is set when the packet has been sent, since that takes the radio most of
 * a millisecond, for which the child would have to listen.
 */
EVENT(link_child_asked)
{
    for (struct link_transfer **link = &link_state.for_children; *link != 0;
         link = &(*link)->next) {
        struct link_transfer *transfer = *link;
        if (link_same(&transfer->destination, &asking)) {
            *link = transfer->next;
            send_first(transfer);
            return;
        }
    }
    if (!link_acks_tell()) {
        say_nothing_waits();
    }
}

void link_child_asks(const struct link_address *child)
{
    asking = *child;
    event_post(&link_child_asked);
}

/* What has waited for one that is no child any more is sent as usual. */
static int release(void *child)
{
    struct link_transfer **link = &link_state.for_children;

    while (*link != 0) {
        struct link_transfer *transfer = *link;
        if (link_same(&transfer->destination, child)) {
            *link = transfer->next;
            link_append(&link_state.to_send, transfer);
            link_request();
        } else {
            link = &transfer->next;
        }
    }
    link_say_pending();
    return 0;
}

int link_child(const struct link_address *address, bool is_child)
{
    if (address->short_address == LINK_ALL) {
        return ERR_INVALID;
    }
    bool is_known = link_set_child(address, is_child);
    if (is_child) {
        return is_known ? 0 : ERR_FULL;
    }
    return kernel_run(release, (void *)(uintptr_t)address);
}
