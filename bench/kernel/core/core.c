/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a peer's core has, and no more: two threads, a semaphore, a mutex, a queue and a timed
 * sleep. */
#include <lichen/mutex.h>
#include <lichen/queue.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

SEMAPHORE(asked, 0);
MUTEX(lock);
QUEUE(answers, unsigned, 2);

static unsigned total; /* lock */

static unsigned add(unsigned number)
{
    mutex_lock(&lock);
    total += number;
    unsigned sum = total;
    mutex_unlock(&lock);
    return sum;
}

THREAD(answers_one, 256, PRIORITY_APP + 1)
{
    for (;;) {
        semaphore_wait(&asked);
        unsigned sum = add(1);
        queue_send(&answers, &sum);
    }
}

THREAD(asks, 256, PRIORITY_APP)
{
    for (;;) {
        unsigned sum;
        (void)semaphore_post(&asked);
        queue_receive(&answers, &sum);
        (void)add(sum);
        sleep_ms(100);
    }
}
