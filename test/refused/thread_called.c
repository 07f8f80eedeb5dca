/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread is called like a function.
 *
 * error: test/refused/thread_called.c:19:5: `worker' is a thread, and no function
 * help: take the call away: threads start by themselves; thread_start is for a THREAD_STOPPED
 *        (<lichen/thread.h>)
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/thread.h>

THREAD(worker, 256, PRIORITY_APP)
{
    led_on(0);
}

THREAD(t, 512, PRIORITY_APP)
{
    worker();
}
