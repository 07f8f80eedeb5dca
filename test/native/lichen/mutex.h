/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Mutexes where there is one thread: native/lichen/arch.h says what this is for. */
#ifndef LICHEN_MUTEX_H
#define LICHEN_MUTEX_H

#include <lichen/arch.h>
#include <lichen/error.h>

struct mutex {
    bool is_locked;
};

#define MUTEX(name) struct mutex name

static inline int mutex_lock(struct mutex *mutex)
{
    if (mutex->is_locked) {
        __builtin_trap();
    }
    mutex->is_locked = true;
    return 0;
}

static inline void mutex_unlock(struct mutex *mutex)
{
    mutex->is_locked = false;
}

#endif
