/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Operations of cooperative threads on others. */
#include <lichen/assert.h>

#include "kernel/coop/coop.h"

#include "arch/arch.h"

void coop_add(struct coop *thread)
{
    if (thread->state == COOP_DEAD) {
        *coop_resume_of(thread) = 0;
        *coop_wake_of(thread) = COOP_NO_WAKE;
        thread->state = COOP_READY;
        arch_wake();
    }
}

/* The thread counts as asleep while its wake time is removed, so a signal leaves its flag. */
void coop_hold(struct coop *thread)
{
    assert(thread->state != COOP_DEAD);
    volatile uint16_t *wake = coop_wake_of(thread);
    thread->state = COOP_SLEEPING;
    if (*wake != COOP_SIGNALLED) {
        *wake = COOP_NO_WAKE;
        if (thread->state != COOP_SLEEPING) {
            *wake = COOP_SIGNALLED;
        }
    }
    thread->state = COOP_WAITING;
}

void coop_kill(struct coop *thread)
{
    thread->state = COOP_DEAD;
}
