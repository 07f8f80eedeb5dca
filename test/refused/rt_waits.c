/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A real-time task waits, in a function that it calls.
 *
 * refused: real-time task `task' must not call `semaphore_wait'
 */
#include <lichen/rt.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>

SEMAPHORE(semaphore, 0);

static __attribute__((noinline)) void helps(void)
{
    semaphore_wait(&semaphore);
}

RT_TASK(task, TC3, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    helps();
}

THREAD(waits, 256, PRIORITY_APP)
{
    for (;;) {
        semaphore_wait(&semaphore);
    }
}
