/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Takes what others send to it. */
#include "traffic.h"
#include "come.h"

THREAD(sink, TRAFFIC_STACK, PRIORITY_APP)
{
    (void)open_link(CENTER, 0);
}
