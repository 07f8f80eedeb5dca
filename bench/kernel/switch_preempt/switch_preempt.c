/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An interrupt wakes a more urgent thread directly while another one computes.
 *
 *   signal_handler .. preempt_woken         from the handler's first instruction, which clears its
 *                                        peripheral's flag, to the woken thread's
 *   signal_handler .. preempt_interrupted   back to the instruction that was interrupted
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

THREAD(urgent, 256, PRIORITY_HIGH)
{
    signal_start(4001);
    for (;;) {
        notify_wait(&signalled);
        BENCH_MARK(preempt_woken);
    }
}

/* One instruction in a loop: wherever it is interrupted, it continues there. */
THREAD(computes, 256, PRIORITY_APP)
{
    for (;;) {
        BENCH_MARK(preempt_interrupted);
    }
}
