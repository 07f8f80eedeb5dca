/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What changes the state of a cooperative thread: its own waits, signals, and operations of others.
 * kernel/coop/coop.h has the argument why no signal is lost.
 */
#include "kernel/coop/coop.h"

#include <lichen/assert.h>

#include "arch/arch.h"

bool coop_wait_begin(struct coop *self)
{
    volatile uint16_t *wake = coop_wake_of(self);
    self->state = COOP_WAITING;
    if (*wake == COOP_SIGNALLED) {
        *wake = COOP_NO_WAKE;
        self->state = COOP_READY;
        return false;
    }
    return true;
}

void coop_signal(struct coop *thread)
{
    uint8_t state = thread->state;
    if (state == COOP_DEAD) {
        return;
    }
    if (state != COOP_WAITING) {
        *coop_wake_of(thread) = COOP_SIGNALLED;
    }
    thread->state = COOP_READY;
    arch_wake();
}

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
