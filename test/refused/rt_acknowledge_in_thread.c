/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread acknowledges as real-time tasks do.
 *
 * error: test/refused/rt_acknowledge_in_thread.c:14:5: rt_acknowledge is for the body of a
 *        real-time task
 * help: take it away: only RT_TASK(...) { ... } has a request to acknowledge
 */
/* clang-format off */
#include <lichen/rt.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    rt_acknowledge();
}
