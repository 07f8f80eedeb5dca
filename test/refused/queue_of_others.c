/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The call of another system's queues.
 *
 * error: test/refused/queue_of_others.c:18:5: nothing declares `queue_put'
 * help: <lichen/queue.h> has queue_held, queue_put_from, queue_receive, queue_receive_until,
 *        queue_send
 */
#include <lichen/queue.h>
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>
QUEUE(numbers, int, 4);

THREAD(t, 512, PRIORITY_APP)
{
    int x = 3;
    queue_put(&numbers, &x);
}
