/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sends a frame to the other mote, 20 times a second. */
#include <lichen/thread.h>

#include "talk.h"

THREAD(talker, TALK_STACK, PRIORITY_APP)
{
    struct link_address to = link_short(PEER);

    open_link();
    for (;;) {
        sleep_ms(PERIOD_MS);
        int error = link_send(&to, fresh_packet(LONG_BYTES), TIME_NEVER);
        assert(error == 0);
    }
}
