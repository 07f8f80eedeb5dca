/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One of many motes that send to everybody every 30 seconds, and sleep between. */
#include "../crowd.h"

enum { PERIOD_US = 30000000 };

LINK_RECEIVER_EVENT(received, 3, heard);

THREAD(sender, CROWD_STACK, PRIORITY_APP)
{
    uint64_t due = time_now_us() + random_below(PERIOD_US);

    open_link(LINK_SLEEPS);
    for (;;) {
        sleep_until_us(due);
        due += PERIOD_US;
        send_to_all();
    }
}
