/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Events beside a declared one, in an array of structures.
 *
 * refused: event_in_array.c:20: `channels' contains an event that EVENT did not declare
 */
#include <lichen/event.h>
#include <lichen/thread.h>

struct channel {
    uint8_t number;
    struct event changed;
};

EVENT(first)
{
    (void)self;
}

extern struct channel channels[4];
struct channel channels[4];

THREAD(posts, 256, PRIORITY_APP)
{
    for (;;) {
        event_post(&first);
        channels[channels[0].number].changed.run = first.run;
        event_post(&channels[channels[0].number].changed);
    }
}
