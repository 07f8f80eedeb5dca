/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The link in one thread, with LINK_IN_TURN: while it sends, received packets wait. */
#include "net/link/link.h"
#include "net/link/stack.h"

extern struct thread link_thread;

THREAD(link_thread, LINK_MAIN_STACK > LINK_TX_STACK ? LINK_MAIN_STACK : LINK_TX_STACK,
       PRIORITY_NET_MAIN)
{
    struct link_message message;

    for (;;) {
        link_hear(&message);
        if (message.kind == LINK_REQUEST) {
            link_transmit();
        } else {
            link_handle(&message);
        }
    }
}
