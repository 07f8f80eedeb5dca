/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "driver/storage/lock.h"

#include <lichen/mutex.h>

uint8_t storage_epoch = 1;

static MUTEX(lock);

static bool is_held; /* from storage_hold to storage_release */

void storage_enter(void)
{
    if (mutex_lock(&lock) != 0 && ++storage_epoch == 0) {
        storage_epoch = 1;
    }
}

void storage_leave(void)
{
    mutex_unlock(&lock);
}

bool storage_hold(void)
{
    if (is_held) {
        return false;
    }
    storage_enter();
    is_held = true;
    return true;
}

void storage_release(void)
{
    if (is_held) {
        is_held = false;
        storage_leave();
    }
}
