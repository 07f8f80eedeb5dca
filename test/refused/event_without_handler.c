/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An event that is declared in another file but defined in none is posted.
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
