/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Does the rounds that the host observes, then nothing, so its watchdog channel is no longer fed.
 * No run may continue: whatever word was overwritten, even one of the watchdog's own, the run must
 * end in a record or in a reset by the hardware.
 */
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/watchdog.h>

#include "corrupt.h"

/* More rounds than are done before a word is overwritten, fewer than a run needs to pass. */
#define ROUNDS 7u

WATCHDOG_LIMIT_MS(60);
WATCHDOG_CHANNEL(unfed);

volatile uint32_t own;

THREAD(rounds, 256, PRIORITY_APP)
{
    while (own < ROUNDS) {
        sleep_ms(1);
        own++;
        corrupt_round();
    }
    for (;;) {
        sleep_ms(100);
    }
}
