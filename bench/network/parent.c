/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Always has one packet for its child, of the longest ones. */
#include <lichen/thread.h>

#include "talk.h"

THREAD(parent, TALK_STACK, PRIORITY_APP)
{
    struct link_address child = link_short(PEER);

    open_link();
    int error = link_child(&child, true);
    assert(error == 0);
    for (;;) {
        error = link_send(&child, fresh_packet(LONGEST_BYTES), TIME_NEVER);
        assert(error == 0);
    }
}
