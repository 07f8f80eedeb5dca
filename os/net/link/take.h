/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What is known of a packet that was taken from a receiver's queue. */
#ifndef NET_LINK_TAKE_H
#define NET_LINK_TAKE_H

#include <lichen/link.h>
#include <lichen/packet.h>

#include "net/link/info.h"

static void link_take_info(packet_t packet, struct link_info *info)
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

#endif
