/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An event notifies, in code that tests its own context, and then waits.
 *
 * refused: event `changed' must not call `semaphore_wait'
 */
#include <lichen/event.h>
#include <lichen/notify.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>

NOTIFY(seen);
SEMAPHORE(room, 1);

EVENT(changed)
{
    notify_post(&seen);
    semaphore_wait(&room);
}

THREAD(posts, 256, PRIORITY_APP)
{
    for (;;) {
        event_post(&changed);
        notify_wait(&seen);
    }
}
