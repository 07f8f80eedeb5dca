/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A function calls itself without end.
 *
 * error: test/refused/language_recursion.c:13:12: the function calls itself without end
 * help: let a condition end it; a loop takes no stack
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

static volatile int x;
static int f(int n)
{
    x++;
    return f(n + 1) + x;
}
THREAD(t, 512, PRIORITY_APP)
{
    print("%d\n", f(10));
}
