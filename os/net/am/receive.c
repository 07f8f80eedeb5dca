/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Messages that are received. Apart from those that are sent, since it brings in queues. */
#include <lichen/am.h>
#include "net/am/read.h"

int am_receive(struct link_receiver *receiver, struct am_message *message, void *payload,
               uint8_t size, uint64_t deadline)
{
    struct link_info info;
    packet_t packet;
    int error = link_receive(receiver, &info, &packet, deadline);

    if (error == 0) {
        am_read_packet(packet, &info, message, payload, size);
    }
    return error;
}

int am_try_receive(struct link_receiver *receiver, struct am_message *message, void *payload,
                   uint8_t size)
{
    struct link_info info;
    packet_t packet;
    int error = link_try_receive(receiver, &info, &packet);

    if (error == 0) {
        am_read_packet(packet, &info, message, payload, size);
    }
    return error;
}
