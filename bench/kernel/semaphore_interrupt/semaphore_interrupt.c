/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An interrupt posts a semaphore for which a more urgent thread waits, while another one computes.
 *
 *   signal_handler .. semaphore_woken   from the handler's first instruction, which clears its
 *                                    peripheral's flag, to the woken thread's
 */
#include <lichen/interrupt.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>

#include "../mark.h"
#include "signal.h"

SEMAPHORE_RT(signalled, 0);
volatile uint32_t rounds;

SIGNAL_HANDLER
{
    signal_clear();
    semaphore_post_from(&signalled, LEVEL_DRIVER);
}

THREAD(urgent, 256, PRIORITY_HIGH)
{
    signal_start(4001);
    for (;;) {
        semaphore_wait(&signalled.semaphore);
        BENCH_MARK(semaphore_woken);
    }
}

THREAD(computes, 256, PRIORITY_APP)
{
    for (;;) {
        rounds++;
    }
}
