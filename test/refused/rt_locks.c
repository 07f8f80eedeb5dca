/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A real-time task locks a mutex.
 *
 * refused: real-time task `task' must not call
 */
#include <lichen/mutex.h>
#include <lichen/rt.h>
#include <lichen/thread.h>

MUTEX(mutex);

RT_TASK(task, TC3, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    mutex_lock(&mutex);
}

THREAD(locks, 256, PRIORITY_APP)
{
    for (;;) {
        mutex_lock(&mutex);
        mutex_unlock(&mutex);
    }
}
