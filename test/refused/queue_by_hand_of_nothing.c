/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A queue without room that is made by hand.
 *
 * refused: the length of a queue is 1 to QUEUE_LENGTH_MAX
 */
#include <lichen/queue.h>
#include <lichen/thread.h>

static struct queue packets[2] = {QUEUE_OF(unsigned, 4, 0), QUEUE_OF(unsigned, 0, 0)};

THREAD(sends, 256, PRIORITY_APP)
{
    for (;;) {
        unsigned packet = 0;
        queue_send(&packets[1], &packet);
    }
}
