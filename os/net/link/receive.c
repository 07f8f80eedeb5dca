/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program's calls that receive: they take packets that incoming.c has put into a queue. Apart
 * from it, so that a program with active messages and no receiver has none of that. */
#include "net/link/link.h"
#include "net/link/take.h"

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
        link_take_info(*packet, info);
    }
    return error;
}

int link_try_receive(struct link_receiver *receiver, struct link_info *info, packet_t *packet)
{
    int error = queue_try_receive(&receiver->queue, packet);

    if (error == 0) {
        link_take_info(*packet, info);
    }
    return error;
}
