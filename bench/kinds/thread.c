/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One thread, which waits for a notification. */
#include <lichen/notify.h>
#include <lichen/thread.h>

#include "kinds_of_chip.h"

static volatile unsigned runs;
NOTIFY(wanted);

THREAD(waits, STACK_OF_THREAD, PRIORITY_APP)
{
    for (;;) {
        notify_wait(&wanted);
        runs++;
    }
}
