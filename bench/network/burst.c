/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sends many of the longest frames to the other mote, one after the other, and then nothing. */
#include <lichen/thread.h>

#include "talk.h"

enum { FRAMES = 300 };

THREAD(burst, TALK_STACK, PRIORITY_APP)
{
    struct link_address to = link_short(PEER);

    open_link();
    sleep_ms(START_MS);
    for (uint16_t i = 0; i < FRAMES; i++) {
        (void)!link_send(&to, fresh_packet(LONGEST_BYTES), TIME_NEVER);
    }
}
