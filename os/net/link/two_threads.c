/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The link's two threads: receiving preempts sending. */
#include "net/link/link.h"
#include "net/link/stack.h"

const ARCH_FLASH bool link_in_turn = false;

THREAD(net_main, LINK_MAIN_STACK, PRIORITY_NET_MAIN)
{
    struct link_message message;

    for (;;) {
        link_hear(&message);
        link_handle(&message);
    }
}

THREAD(net_tx, LINK_TX_STACK, PRIORITY_NET_TX)
{
    for (;;) {
        notify_wait(&link_wake_tx);
        link_transmit();
    }
}
