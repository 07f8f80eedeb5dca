/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A mutex that the kernel would not find when its owner ends.
 *
 * refused: mutex_by_hand.c:12: `table' contains a mutex that MUTEX did not declare
 */
#include <lichen/mutex.h>
#include <lichen/thread.h>

static struct {
    struct mutex lock;
    uint8_t rows[8];
} table;

THREAD(locks, 256, PRIORITY_APP)
{
    for (;;) {
        mutex_lock(&table.lock);
        table.rows[0]++;
        mutex_unlock(&table.lock);
    }
}
