/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Asks its parent for a packet every 10 seconds, and sleeps between.
 *
 *   packet_taken   the thread has it
 */
#include <lichen/thread.h>

#include "talk.h"

enum { POLL_MS = 10000 };

LINK_RECEIVER(received, 1);

THREAD(leaf, TALK_STACK, PRIORITY_APP)
{
    struct link_address parent = link_short(PEER);
    struct link_info info;
    packet_t packet;

    open_link_with(LINK_SLEEPS);
    sleep_ms(START_MS);
    int error = link_poll(&parent, POLL_MS);
    assert(error == 0);
    for (;;) {
        error = link_receive(&received, &info, &packet, TIME_NEVER);
        BENCH_MARK(packet_taken);
        assert(error == 0);
        packet_free(packet);
    }
}
