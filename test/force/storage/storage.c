/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "storage.h"

#include <lichen/notify.h>
#include <lichen/thread.h>

#include "run.h"

extern struct thread force_conductor;

NOTIFY(has_moved);
static volatile bool is_moving;

/* One thread at a time uses the medium. */
void played_moves(void)
{
    force_expect(!is_moving);
    if (thread_self() != &force_conductor) {
        is_moving = true;
        notify_wait(&has_moved);
        is_moving = false;
    }
}

bool storage_settle(void)
{
    bool waits = is_moving;

    if (waits) {
        notify_post(&has_moved);
    }
    return waits;
}
