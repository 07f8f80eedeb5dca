/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread with the priority of the idle thread.
 *
 * refused: priority of lazy
 */
#include <lichen/thread.h>

THREAD_STOPPED(lazy, 256, PRIORITY_IDLE)
{
    for (;;) {
        thread_yield();
    }
}
