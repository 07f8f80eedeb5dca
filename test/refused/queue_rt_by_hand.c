/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A queue of interrupts that the linker has not counted.
 *
 * refused: queue_rt_by_hand.c:11: `samples' is a queue of interrupts that QUEUE_RT did not declare
 */
#include <lichen/queue.h>
#include <lichen/thread.h>

static uint16_t slots[4];

static struct queue_rt samples = {
    .queue = {.slots = (uint8_t *)slots, .slot_bytes = 2, .length = 4},
    .event = {.run = queue_rt_deliver},
};

THREAD(waits, 256, PRIORITY_APP)
{
    for (;;) {
        uint16_t sample;
        queue_receive(&samples.queue, &sample);
    }
}
