/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "driver/storage/lock.h"

#include <lichen/mutex.h>

uint8_t storage_epoch = 1;

static MUTEX(lock);

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
