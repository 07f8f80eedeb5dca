/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A cooperative thread makes a call that blocks threads.
 *
 * refused: cooperative thread `body' must not call `semaphore_wait'
 */
#include <lichen/coop.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

SEMAPHORE(semaphore, 0);

COOP(body)
{
    COOP_BEGIN();
    for (;;) {
        coop_yield();
        coop_sleep_ms(1);
        semaphore_wait(&semaphore);
        coop_yield();
    }
    COOP_END();
}

THREAD(posts, 256, PRIORITY_APP)
{
    for (;;) {
        semaphore_post(&semaphore);
        sleep_ms(1);
    }
}
