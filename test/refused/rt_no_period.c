/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A real-time task without any figure.
 *
 * error: test/refused/rt_no_period.c:10:1: a real-time task needs .period_us
 * help: write the least time between two requests
 */
#include <lichen/rt.h>
#include <lichen/thread.h>

RT_TASK(fast, TC3, .priority = 0)
{
}

THREAD(t, 256, PRIORITY_APP)
{
}
