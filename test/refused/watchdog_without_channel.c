/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A limit, and nothing that the watchdog could watch.
 *
 * error: test/refused/watchdog_without_channel.c:12: a WATCHDOG_LIMIT_MS, and no
 *        WATCHDOG_CHANNEL that it is for
 * help: write WATCHDOG_CHANNEL(name); in one of the files, and watchdog_feed(&name) where its work
 *        goes on
 */
#include <lichen/thread.h>
#include <lichen/watchdog.h>

WATCHDOG_LIMIT_MS(500);

THREAD(works, 256, PRIORITY_APP)
{
    for (;;) {
    }
}
