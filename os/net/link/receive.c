/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program's calls that receive: they take packets that incoming.c has put into a queue. Apart
 * from it, so that a program with active messages and no receiver has none of that. */
#include "net/link/info.h"
#include "net/link/link.h"

static void take_info(packet_t packet, struct link_info *info)
{
    const struct packet_attributes *attributes = packet_attributes(packet);

    info->source.short_address = attributes->source;
    info->type = attributes->type;
    info->to_all = (attributes->flags & INFO_TO_ALL) != 0;
    info->is_secured = (attributes->flags & INFO_SECURED) != 0;
    if ((attributes->flags & INFO_EXTENDED) != 0) {
        packet_read(packet, 0, info->source.extended, LINK_EXTENDED_BYTES);
        packet_trim_front(packet, LINK_EXTENDED_BYTES);
    }
}

int link_receive(struct link_receiver *receiver, struct link_info *info, packet_t *packet,
                 uint64_t deadline)
{
    int error = 0;

    if (deadline == TIME_NEVER) {
        queue_receive(&receiver->queue, packet);
    } else {
        error = queue_receive_until(&receiver->queue, packet, deadline);
    }
    if (error == 0) {
        take_info(*packet, info);
    }
    return error;
}

int link_try_receive(struct link_receiver *receiver, struct link_info *info, packet_t *packet)
{
    int error = queue_try_receive(&receiver->queue, packet);

    if (error == 0) {
        take_info(*packet, info);
    }
    return error;
}
