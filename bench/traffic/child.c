/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sleeps, sends readings to its parent, and asks it for packets. */
#include "come.h"
#include "sends.h"

enum { POLL_MS = 500 };

THREAD(child, TRAFFIC_STACK, PRIORITY_APP)
{
    const struct link_address parent = link_short(CENTER);
    uint16_t own = open_link(LINK_ALL, LINK_SLEEPS);
    int error = link_poll(&parent, POLL_MS);

    assert(error == 0);
    send_for_ever(own, CENTER);
}
