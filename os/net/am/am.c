/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <lichen/am.h>

#include "net/am/dispatch.h"

static int make(packet_t *packet, uint8_t type, const void *payload, uint8_t length)
{
    const uint8_t header[AM_HEADER_BYTES] = {AM_DISPATCH, type};
    int error =
        packet_alloc(packet, ARCH_TEXT("am"), LINK_HEADROOM, (uint16_t)(sizeof(header) + length));

    if (error == 0) {
        packet_write(*packet, 0, header, sizeof(header));
        packet_write(*packet, sizeof(header), payload, length);
    }
    return error;
}

int am_send_until(uint16_t destination, uint8_t type, const void *payload, uint8_t length,
                  uint64_t deadline)
{
    struct link_address to = link_short(destination);
    packet_t packet;
    int error = make(&packet, type, payload, length);

    return error == 0 ? link_send(&to, packet, deadline) : error;
}

int am_send(uint16_t destination, uint8_t type, const void *payload, uint8_t length)
{
    return am_send_until(destination, type, payload, length, TIME_NEVER);
}

int am_begin(struct link_transfer *transfer, uint16_t destination, uint8_t type,
             const void *payload, uint8_t length)
{
    packet_t packet;

    if (transfer->active) {
        return ERR_BUSY;
    }
    int error = make(&packet, type, payload, length);
    if (error == 0) {
        transfer->destination = link_short(destination);
        transfer->packet = packet;
        error = link_begin(transfer);
        if (error != 0) {
            packet_free(packet);
        }
    }
    return error;
}

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
