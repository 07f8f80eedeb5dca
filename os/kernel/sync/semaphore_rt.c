/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Posts from interrupts: each level counts its own, modulo 256, and the kernel counts those it has
 * taken.
 */
#include <lichen/semaphore.h>

#include <stddef.h>

void semaphore_rt_collect(struct event *event)
{
    struct semaphore_rt *semaphore =
        (struct semaphore_rt *)(void *)((uint8_t *)event - offsetof(struct semaphore_rt, event));
    for (unsigned level = 0; level < ARCH_LEVELS; level++) {
        uint8_t posted = semaphore->posted[level];
        while (semaphore->taken[level] != posted) {
            semaphore->taken[level] = (uint8_t)(semaphore->taken[level] + 1u);
            (void)semaphore_post(&semaphore->semaphore);
        }
    }
}
