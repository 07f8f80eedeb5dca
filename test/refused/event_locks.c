/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An event locks a mutex; while the mutex is free, this would go unnoticed at run time.
 *
 * refused: event `changed' must not call `mutex_lock'
 */
#include <lichen/event.h>
#include <lichen/mutex.h>
#include <lichen/thread.h>

MUTEX(mutex);

EVENT(changed)
{
    mutex_lock(&mutex);
}

THREAD(locks, 256, PRIORITY_APP)
{
    for (;;) {
        mutex_lock(&mutex);
        event_post(&changed);
        mutex_unlock(&mutex);
    }
}
