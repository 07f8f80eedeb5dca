/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread is declared inside a function.
 *
 * error: test/refused/thread_in_function.c:13:12: THREAD stands inside a function
 * help: declare it at the outermost level of the file, and use its name here
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>
static void f(void)
{
    THREAD(t, 512, PRIORITY_APP)
    {
        led_on(0);
    }
}

THREAD(u, 512, PRIORITY_APP)
{
    f();
}
