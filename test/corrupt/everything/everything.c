/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Starts a round, waits until all parts have worked in it, and ends it. */
#include "parts.h"

#include <lichen/assert.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "corrupt.h"
#include "tasks.h"

struct own own;

void works(enum part part)
{
    own.works[part]++;
}

/* A clock that runs backwards, or leaps forwards, is broken. */
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

THREAD(rounds, ROUNDS_STACK, PRIORITY_APP + 1)
{
    print("rounds\n");
    for (;;) {
        sleep_ms(5);
        if (all_have_worked()) {
            check_time();
            corrupt_all_work();
            end_round();
        }
    }
}
