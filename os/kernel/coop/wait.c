/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Waiting for a signal; kernel/coop/coop.h has the argument why none is lost. */
#include "kernel/coop/coop.h"

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
