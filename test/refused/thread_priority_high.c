/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread that is more urgent than the most urgent.
 *
 * refused: priority of hasty
 */
#include <lichen/thread.h>

THREAD_STOPPED(hasty, 256, PRIORITY_MAX + 1)
{
    for (;;) {
        thread_yield();
    }
}
