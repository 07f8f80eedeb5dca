/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread without a priority.
 *
 * error: test/refused/thread_few_arguments.c:13:14: THREAD takes 3 arguments, and 2 are given
 *        here
 * help: THREAD(thread, bytes, urgency), <lichen/thread.h>
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512)
{
    led_on(0);
}
