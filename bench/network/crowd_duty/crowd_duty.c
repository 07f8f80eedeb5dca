/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One of many motes whose radios are on for 0.5 % of the time: once a second each sends to
 * everybody, and listens shortly.
 */
#include "../crowd.h"

enum { PERIOD_US = 1000000, LISTEN_US = 1000 };

LINK_RECEIVER_EVENT(received, 3, heard);

THREAD(duty, CROWD_STACK, PRIORITY_APP)
{
    uint64_t due = time_now_us() + random_below(PERIOD_US);

    open_link(LINK_SLEEPS);
    for (;;) {
        sleep_until_us(due);
        due += PERIOD_US;
        send_to_all();
        open_link(0);
        sleep_us(LISTEN_US);
        open_link(LINK_SLEEPS);
    }
}
