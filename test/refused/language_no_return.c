/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A function ends without its value.
 *
 * error: test/refused/language_no_return.c:14:1: the function returns no value
 * help: return one, or declare the function as void
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

static int f(void)
{
}
THREAD(t, 512, PRIORITY_APP)
{
    print("%d\n", f());
}
