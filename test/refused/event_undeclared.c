/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An event that is not declared is posted.
 *
 * refused: 'nobody' undeclared
 */
#include <lichen/thread.h>

#include <lichen/event.h>

THREAD(posts, 256, PRIORITY_APP)
{
    for (;;) {
        event_post(&nobody);
    }
}
