/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread receives frames.
 *
 *   frame_taken   the thread has it
 */
#include <lichen/thread.h>

#include "talk.h"

LINK_RECEIVER(received, 3);

THREAD(receiver, TALK_STACK, PRIORITY_APP)
{
    struct link_info info;
    packet_t packet;

    open_link();
    for (;;) {
        int error = link_receive(&received, &info, &packet, TIME_NEVER);
        BENCH_MARK(frame_taken);
        assert(error == 0);
        packet_free(packet);
    }
}
