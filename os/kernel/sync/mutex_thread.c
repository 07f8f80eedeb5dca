/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How threads lock and unlock a mutex, in C. */
#include <lichen/mutex.h>

#include "arch/arch.h"

int mutex_enter(struct mutex *mutex)
{
    return mutex_lock_contended(mutex);
}

int mutex_leave(struct mutex *mutex)
{
    mutex_unlock_contended(mutex);
    return 0;
}
