/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Does the rounds that the host looks at and then nothing more, while its channel waits to be fed.
 * So a run that goes on is none: whatever word was overwritten, a record or the hardware ends it,
 * and the watchdog's own words are among them.
 */
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/watchdog.h>

#include "corrupt.h"

/* More than are done before a word is overwritten, fewer than make a run right. */
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
