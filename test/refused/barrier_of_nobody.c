/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A barrier for no threads.
 *
 * refused: parties of barrier all
 */
#include <lichen/barrier.h>
#include <lichen/thread.h>

BARRIER(all, 0);

THREAD(waits, 256, PRIORITY_APP)
{
    for (;;) {
        barrier_wait(&all);
    }
}
