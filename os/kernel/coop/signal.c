/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Signals to cooperative threads. */
#include "kernel/coop/coop.h"

#include "arch/arch.h"

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
