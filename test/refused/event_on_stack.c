/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An event on the stack of a thread.
 *
 * refused: event_on_stack.c:16: `own' is an event that EVENT did not declare
 */
#include <lichen/event.h>
#include <lichen/thread.h>

EVENT(first)
{
    (void)self;
}

static inline void post_own(void)
{
    struct event own = {.run = first.run};
    event_post(&own);
}

THREAD(posts, 256, PRIORITY_APP)
{
    for (;;) {
        post_own();
    }
}
