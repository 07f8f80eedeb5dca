/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Reading a message that is a packet. */
#ifndef NET_AM_READ_H
#define NET_AM_READ_H

#include <lichen/am.h>
#include <lichen/packet.h>

static void am_read_packet(packet_t packet, const struct link_info *info,
                           struct am_message *message, void *payload, uint8_t size)
{
    const struct packet_attributes *attributes = packet_attributes(packet);

    message->source = info->source.short_address;
    message->type = info->type;
    message->length = (uint8_t)packet_length(packet);
    message->dbm = attributes->dbm;
    message->lqi = attributes->lqi;
    message->to_all = info->to_all;
    packet_read(packet, 0, payload, message->length < size ? message->length : size);
    packet_free(packet);
}

#endif
