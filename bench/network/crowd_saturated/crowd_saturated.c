/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One of many motes that all listen, and send to everybody whenever the channel is clear. */
#include "../crowd.h"

LINK_RECEIVER_EVENT(received, 3, heard);

THREAD(saturated, CROWD_STACK, PRIORITY_APP)
{
    open_link(0);
    for (;;) {
        send_to_all();
    }
}
