/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Starts a round, waits until all parts have worked in it, and ends it. */
#include "parts.h"

#include <lichen/assert.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "corrupt.h"

WATCHDOG_LIMIT_MS(60);

/* Each fed once a round. */
WATCHDOG_CHANNEL(of_rounds);
WATCHDOG_CHANNEL(of_interrupts);
WATCHDOG_CHANNEL(of_threads);

struct own own;

void works(enum part part)
{
    own.works[part]++;
}

/* A clock that goes back, or forward in leaps, is a broken one. */
static void check_time(void)
{
    uint64_t now = time_now_us();
    assert(now >= own.now_us && now < own.now_us + TIME_US_PER_S);
    own.now_us = now;
}

static bool all_have_worked(void)
{
    for (unsigned part = 0; part < PARTS; part++) {
        if (own.works[part] == own.seen[part]) {
            return false;
        }
    }
    return true;
}

static void end_round(void)
{
    for (unsigned part = 0; part < PARTS; part++) {
        own.seen[part] = own.works[part];
    }
    corrupt_round();
}

THREAD(rounds, 384, PRIORITY_APP + 1)
{
    print("rounds\n");
    for (;;) {
        sleep_ms(5);
        if (all_have_worked()) {
            check_time();
            watchdog_feed(&of_rounds);
            watchdog_feed(&of_interrupts);
            watchdog_feed(&of_threads);
            end_round();
        }
    }
}
