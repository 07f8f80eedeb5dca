/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A semaphore for interrupts with a first count that it cannot have.
 *
 * refused: first count of semaphore shared
 */
#include <lichen/semaphore.h>
#include <lichen/thread.h>

SEMAPHORE_RT(shared, -1);

THREAD(waits, 256, PRIORITY_APP)
{
    for (;;) {
        semaphore_wait(&shared.semaphore);
    }
}
