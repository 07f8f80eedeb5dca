/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The event level of receiving: from the radio's few places to the form, and what cannot wait for
 * a thread, acknowledgments.
 *
 * A packet for which net-main has no place stays with the radio's driver: net-main posts the event
 * again when it has taken a packet.
 */
#include "net/link/format.h"
#include "net/link/received.h"

#pragma weak link_acknowledge

bool link_holds_back;

static void relay(packet_t packet)
{
    uint8_t sequence;
    bool pending;

    if (!link_radio_can(RADIO_CAN_RETRY) && link_format_is_ack(packet, &sequence, &pending)) {
        if (packet_attributes(packet)->flags & RADIO_ANSWERS) {
            link_acknowledged(sequence, pending);
        }
        packet_free(packet);
        return;
    }
    if (link_acknowledge != 0) {
        link_acknowledge(packet);
    }
    link_tell(LINK_PACKET, packet);
}

void link_drop(packet_t packet)
{
    link_lose(LOST_NO_RECEIVER);
    packet_free(packet);
}

EVENT(radio_received)
{
    packet_t packet;

    while (link_has_place()) {
        if (radio_receive(&packet) != 0) {
            return;
        }
        relay(packet);
    }
    link_holds_back = true;
}
