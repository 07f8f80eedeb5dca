/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread is declared as static.
 *
 * error: test/refused/thread_static.c:12:8: `static' stands before THREAD, which takes nothing
 *        before it
 * help: take static away: THREAD(t, 256, PRIORITY_APP)
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/thread.h>

static THREAD(t, 256, PRIORITY_APP)
{
    led_on(0);
}
