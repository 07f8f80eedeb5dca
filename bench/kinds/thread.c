/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One thread, which waits for a notification. */
#include <lichen/notify.h>
#include <lichen/thread.h>

static volatile unsigned runs;
NOTIFY(wanted);

THREAD(waits, 128, PRIORITY_APP)
{
    for (;;) {
        notify_wait(&wanted);
        runs++;
    }
}
