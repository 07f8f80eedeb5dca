/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread is called main.
 *
 * error: test/refused/thread_called_main.c:12:8: `main' cannot be the name of a THREAD: C keeps it
 *        for a function
 * help: give it another name, such as my_main
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/thread.h>

THREAD(main, 256, PRIORITY_APP)
{
    led_on(0);
}
