/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The serial console: waiting until everything has been sent. In a separate file, so that only
 * programs that wait for it have the event. */
#include "driver/console/drain.h"

#include <lichen/console.h>
#include <lichen/syscall.h>

static struct syscall *draining; /* the calls that wait */

/* Another writer may have begun meanwhile: then its bytes are waited for too. */
EVENT(console_sent)
{
    if (draining != 0 && console_ask_sent(self)) {
        return;
    }
    while (draining != 0) {
        syscall_end(draining, 0);
    }
}

static int drain(void *call)
{
    return console_ask_sent(&console_sent) ? syscall_wait_in(call, &draining) : 0;
}

void console_drain(void)
{
    struct syscall call;

    (void)syscall_run(drain, &call);
}
