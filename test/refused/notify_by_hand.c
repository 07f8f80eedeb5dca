/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A notification that the linker has not counted, in a function.
 *
 * refused: notify_by_hand.c:11: `ready' is a notification that NOTIFY did not declare
 */
#include <lichen/notify.h>
#include <lichen/thread.h>

THREAD(waits, 256, PRIORITY_APP)
{
    static struct notify ready = {.event = {.run = notify_deliver}};
    for (;;) {
        notify_wait(&ready);
    }
}
