/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Messages that are received. Apart from those that are sent, since it brings in queues. */
#include <lichen/am.h>

static void read(packet_t packet, const struct link_info *info, struct am_message *message,
                 void *payload, uint8_t size)
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

int am_receive(struct link_receiver *receiver, struct am_message *message, void *payload,
               uint8_t size, uint64_t deadline)
{
    struct link_info info;
    packet_t packet;
    int error = link_receive(receiver, &info, &packet, deadline);

    if (error == 0) {
        read(packet, &info, message, payload, size);
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
        read(packet, &info, message, payload, size);
    }
    return error;
}
