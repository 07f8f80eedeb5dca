/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An event is posted that should be in another file, but is in none.
 *
 * refused: undefined reference to `elsewhere'
 */
#include <lichen/thread.h>

#include <lichen/event.h>

EVENT_EXTERN(elsewhere);

THREAD(posts, 256, PRIORITY_APP)
{
    for (;;) {
        event_post(&elsewhere);
    }
}
