/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Length and type of a queue are swapped.
 *
 * error: test/refused/queue_swapped.c:12:13: the length of the queue stands before the type of its
 *        messages
 * help: write QUEUE(q, int, 4);
 */
/* clang-format off */
#include <lichen/queue.h>
#include <lichen/thread.h>

QUEUE(q, 4, int);

THREAD(t, 512, PRIORITY_APP)
{
    int i;
    queue_receive(&q, &i);
}
