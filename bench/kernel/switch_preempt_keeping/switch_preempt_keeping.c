/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An interrupt wakes a more urgent thread while another one computes; the woken one waits in a
 * function that must preserve every register for its caller, and then waits again.
 *
 *   signal_handler .. keeping_woken         to the first instruction after that function
 *   signal_handler .. keeping_interrupted   back to the instruction that was interrupted
 */
#include <lichen/interrupt.h>
#include <lichen/notify.h>

#include "../mark.h"
#include "signal.h"

NOTIFY(signalled);

SIGNAL_HANDLER
{
    signal_clear();
    notify_post_from(&signalled, LEVEL_DRIVER);
}

static __attribute__((noinline)) void wait_keeping(void)
{
    notify_wait(&signalled);
}

THREAD(urgent, 256, PRIORITY_HIGH)
{
    signal_start(4001);
    for (;;) {
        wait_keeping();
        BENCH_MARK(keeping_woken);
    }
}

/* One instruction in a loop: wherever it is interrupted, it continues there. */
THREAD(computes, 256, PRIORITY_APP)
{
    for (;;) {
        BENCH_MARK(keeping_interrupted);
    }
}
