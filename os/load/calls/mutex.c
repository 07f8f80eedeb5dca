/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/mutex.h>

CALLS_LAYOUT(sizeof(struct mutex), 4, 8);

static int call_mutex_lock(struct mutex *mutex)
{
    return mutex_lock(mutex);
}

static int call_mutex_lock_until(struct mutex *mutex, uint64_t deadline)
{
    return mutex_lock_until(mutex, deadline);
}

static void call_mutex_unlock(struct mutex *mutex)
{
    mutex_unlock(mutex);
}

CALLS_FUNCTIONS = {
    [0] = (call_fn *)call_mutex_lock,
    [1] = (call_fn *)call_mutex_lock_until,
    [2] = (call_fn *)(mutex_try),
    [3] = (call_fn *)call_mutex_unlock,
};

CALLS(mutex, 6, 0x24, 0x9d2c, 0xd841);
