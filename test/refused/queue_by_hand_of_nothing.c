/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A queue without room that is made by hand.
 *
 * error: test/refused/queue_by_hand_of_nothing.c:11:61: the length of a queue is not 1 to 32767, or
 *        1 to 127 on the ATmega128
 * help: write how many messages it has room for
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
