/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A watchdog that each round feeds. */
#include <lichen/watchdog.h>

#include "corrupt.h"

WATCHDOG_LIMIT_MS(60);

WATCHDOG_CHANNEL(of_rounds);
WATCHDOG_CHANNEL(of_interrupts);
WATCHDOG_CHANNEL(of_threads);

void corrupt_all_work(void)
{
    watchdog_feed(&of_rounds);
    watchdog_feed(&of_interrupts);
    watchdog_feed(&of_threads);
}
