/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A queue that is too long on AVR.
 *
 * on: micaz
 * error: test/refused/queue_too_long_avr.c:13:1: the length of a queue is not 1 to 32767, or 1 to
 *        127 on the ATmega128
 * help: write how many messages it has room for
 */
/* clang-format off */
#include <lichen/queue.h>
#include <lichen/thread.h>

QUEUE(q, int, 200);

THREAD(t, 512, PRIORITY_APP)
{
    int i;
    queue_receive(&q, &i);
}
