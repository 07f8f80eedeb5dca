/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cancelling timers. */
#include "kernel/time/time.h"

#include <lichen/kernel.h>

static int cancel(void *argument)
{
    struct timer *timer = argument;
    if (timer->deadline.expire == 0) {
        return ERR_EMPTY;
    }
    deadline_remove(&timer->deadline);
    return 0;
}

int timer_cancel(struct timer *timer)
{
    return kernel_run(cancel, timer);
}
