/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sends to the mote in the center. */
#include "sends.h"

THREAD(sender, TRAFFIC_STACK, PRIORITY_APP)
{
    send_for_ever(open_link(LINK_ALL, 0), CENTER);
}
