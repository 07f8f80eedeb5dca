/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One of many motes that all listen, and send to everybody four times a second. */
#include "../crowd.h"

enum { PERIOD_US = 250000 };

LINK_RECEIVER_EVENT(received, 3, heard);

THREAD(busy, CROWD_STACK, PRIORITY_APP)
{
    uint64_t due = time_now_us() + random_below(PERIOD_US);

    open_link(0);
    for (;;) {
        sleep_until_us(due);
        due += PERIOD_US;
        send_to_all();
    }
}
