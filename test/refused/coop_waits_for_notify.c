/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A cooperative thread waits for a notification, which is compiled into it.
 *
 * refused: cooperative thread `body' must not call `notify_wait'
 */
#include <lichen/coop.h>
#include <lichen/notify.h>
#include <lichen/thread.h>

NOTIFY(told);

COOP(body)
{
    COOP_BEGIN();
    for (;;) {
        coop_yield();
        notify_wait(&told);
    }
    COOP_END();
}

THREAD(tells, 256, PRIORITY_APP)
{
    for (;;) {
        notify_post(&told);
        thread_yield();
    }
}
