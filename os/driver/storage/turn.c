/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "driver/storage/turn.h"

#include <lichen/mutex.h>

uint8_t storage_epoch = 1;

static MUTEX(turn);

void storage_enter(void)
{
    if (mutex_lock(&turn) != 0 && ++storage_epoch == 0) {
        storage_epoch = 1;
    }
}

void storage_leave(void)
{
    mutex_unlock(&turn);
}
