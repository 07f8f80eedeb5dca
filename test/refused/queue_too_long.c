/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A queue whose indices, up to twice its length, do not fit 16 bits.
 *
 * refused: the length of a queue is 1 to
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
