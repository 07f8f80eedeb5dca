/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Five cooperative threads, as in the paper, and two real-time tasks that signal two of them. */
#include <lichen/coop.h>
#include <lichen/rt.h>

#include "request.h"

#define WAITS                                                                                      \
    {                                                                                              \
        COOP_BEGIN();                                                                              \
        for (;;) {                                                                                 \
            coop_wait();                                                                           \
        }                                                                                          \
        COOP_END();                                                                                \
    }

COOP(first)
WAITS
COOP(second)
WAITS
COOP(third)
WAITS
COOP(fourth)
WAITS
COOP(fifth)
WAITS

RT_TASK(high, HIGH, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    coop_signal(&first);
}

RT_TASK(low, LOW, .priority = 1, .period_us = 1000, .deadline_us = 200, .wcet_cycles = 50)
{
    coop_signal(&second);
}
