/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A semaphore of interrupts that the linker has not counted, in a structure.
 *
 * refused: semaphore_rt_by_hand.c:12: `port' contains a semaphore of interrupts
 */
#include <lichen/semaphore.h>
#include <lichen/thread.h>

static struct port {
    struct semaphore_rt bytes;
    uint8_t slots[4];
} port = {
    .bytes = {.event = {.run = semaphore_rt_collect}},
};

THREAD(waits, 256, PRIORITY_APP)
{
    for (;;) {
        semaphore_wait(&port.bytes.semaphore);
    }
}
