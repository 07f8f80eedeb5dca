/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The event level of receiving: from the radio's few places to net-main's, and what cannot wait for
 * a thread, acknowledgments, if the radio leaves them to software.
 *
 * A packet for which net-main has no place stays with the radio's driver: net-main posts the event
 * again when it has taken a packet.
 */
#include "net/link/format.h"
#include "net/link/received.h"

bool link_holds_back;

EVENT_EXTERN(link_ack_sent);
static struct radio_transfer ack = {.ended = &link_ack_sent};

EVENT(link_ack_sent)
{
    packet_free(ack.packet);
}

/* The sender sends again if there is no memory, or another acknowledgment is under way. */
static void acknowledge(packet_t packet)
{
    if (ack.active) {
        return;
    }
    ack.packet = link_format_ack_for(packet);
    if (ack.packet != PACKET_NONE && radio_send(&ack) != 0) {
        packet_free(ack.packet);
    }
}

static void relay(packet_t packet)
{
    uint8_t sequence;
    bool pending;

    if (!link_radio_can(RADIO_CAN_RETRY) && link_format_is_ack(packet, &sequence, &pending)) {
        link_acknowledged(sequence, pending, (uint32_t)packet_attributes(packet)->time_us);
        packet_free(packet);
        return;
    }
    if (!link_radio_can(RADIO_CAN_ACKNOWLEDGE)) {
        acknowledge(packet);
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
