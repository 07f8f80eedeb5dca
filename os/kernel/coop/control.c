/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a cooperative thread may do to others. */
#include <lichen/assert.h>

#include "kernel/coop/coop.h"

void coop_add(struct coop *thread)
{
    if (thread->state == COOP_DEAD) {
        *coop_resume_of(thread) = 0;
        *coop_wake_of(thread) = 0;
        thread->state = COOP_READY;
    }
}

void coop_hold(struct coop *thread)
{
    assert(thread->state != COOP_DEAD);
    if (thread->state == COOP_SLEEPING) {
        *coop_wake_of(thread) = COOP_SIGNALLED; /* by who lets it go on: its sleep ends then */
    }
    thread->state = COOP_WAITING;
}

void coop_kill(struct coop *thread)
{
    thread->state = COOP_DEAD;
}
