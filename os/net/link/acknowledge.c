/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Acknowledgments by software, for a radio that leaves them to it: its driver says
 * RADIO_NEEDS_ACKNOWLEDGMENTS. */
#include "net/link/headers.h"
#include "net/link/received.h"

EVENT_EXTERN(link_ack_sent);
static struct radio_transfer ack = {.ended = &link_ack_sent};

EVENT(link_ack_sent)
{
    packet_free(ack.packet);
}

/* The sender sends again if there is no memory, or another acknowledgment is under way. */
void link_acknowledge(packet_t packet)
{
    if (ack.active) {
        return;
    }
    ack.packet = link_headers_ack_for(packet);
    if (ack.packet != PACKET_NONE && radio_send(&ack) != 0) {
        packet_free(ack.packet);
    }
}
