/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A queue of interrupts of a level that does not exist.
 *
 * refused: level of queue samples
 */
#include <lichen/queue.h>
#include <lichen/thread.h>

QUEUE_RT(samples, unsigned, 4, 4);

THREAD(receives, 256, PRIORITY_APP)
{
    for (;;) {
        unsigned sample;
        queue_receive(&samples.queue, &sample);
    }
}
