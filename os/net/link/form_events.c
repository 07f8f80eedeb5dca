/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The usual form of the link: frames are made and checked by events, so a program has no thread of
 * the link's. link.h says what a form is. */
#include "net/link/form.h"

#pragma weak link_poll_timer

/* One frame at a time, so that the radio is served between two. */
EVENT(link_makes)
{
    if (link_transmit()) {
        link_request();
    }
}

/* A frame that has ended asks, too, whether or not another transfer waits. */
void link_request_event(void)
{
    if (link_state.to_send != 0) {
        event_post(&link_makes);
    }
}

bool link_has_place_always(void)
{
    return true;
}

void link_tell_at_once(uint8_t kind, packet_t packet)
{
    if (kind == LINK_PACKET) {
        link_examine(packet);
    } else if (link_poll_timer != 0) {
        link_poll_timer();
    }
}
