/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread sends a frame and waits until it has been acknowledged, 20 times a second.
 *
 *   send_begins .. send_ends   from before the call to after it
 */
#include <lichen/thread.h>

#include "talk.h"

THREAD(sender, TALK_STACK, PRIORITY_APP)
{
    struct link_address to = link_short(PEER);

    open_link();
    for (;;) {
        sleep_ms(PERIOD_MS);
        packet_t packet = fresh_packet(SHORT_BYTES);
        BENCH_MARK(send_begins);
        int error = link_send(&to, packet, TIME_NEVER);
        BENCH_MARK(send_ends);
        assert(error == 0);
    }
}
