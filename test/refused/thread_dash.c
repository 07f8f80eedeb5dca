/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The name of a thread has a dash.
 *
 * error: test/refused/thread_dash.c:13:10: `my-thread' cannot be a name
 * help: names are of letters, digits and _, and begin with a letter: my_thread
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(my-thread, 512, PRIORITY_APP)
{
    led_on(0);
}
