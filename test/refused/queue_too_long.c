/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A queue whose indices, up to twice its length, do not fit 16 bits.
 *
 * error: test/refused/queue_too_long.c:11:1: the length of a queue is not 1 to 32767, or 1 to 127
 *        on the ATmega128
 * help: write how many messages it has room for
 */
#include <lichen/queue.h>
#include <lichen/thread.h>

QUEUE(bytes, uint8_t, 32768);

THREAD(waits, 256, PRIORITY_APP)
{
    for (;;) {
        uint8_t byte;
        queue_receive(&bytes, &byte);
    }
}
