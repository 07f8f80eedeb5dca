/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An event that the linker has not counted.
 *
 * refused: event_by_hand.c:10: `spare' is an event that EVENT did not declare
 */
#include <lichen/event.h>
#include <lichen/thread.h>

void handler(struct event *self);
struct event spare = {.run = handler};

void handler(struct event *self)
{
    (void)self;
}

THREAD(posts, 256, PRIORITY_APP)
{
    for (;;) {
        event_post(&spare);
    }
}
