/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A queue without room.
 *
 * refused: the length of a queue is 1 to
 */
#include <lichen/queue.h>
#include <lichen/thread.h>

QUEUE(packets, unsigned, 0);

THREAD(sends, 256, PRIORITY_APP)
{
    for (;;) {
        unsigned packet = 0;
        queue_send(&packets, &packet);
    }
}
