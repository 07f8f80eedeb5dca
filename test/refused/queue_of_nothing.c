/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A queue without room.
 *
 * error: test/refused/queue_of_nothing.c:11:1: the length of a queue is not 1 to 32767, or 1 to 127
 *        on the ATmega128
 * help: write how many messages it has room for
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
