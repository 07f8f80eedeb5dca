/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One of many motes that send to all. */
#include "come.h"
#include "sends.h"

THREAD(crowd, TRAFFIC_STACK, PRIORITY_APP)
{
    send_for_ever(open_link(LINK_ALL, 0), AM_ALL);
}
