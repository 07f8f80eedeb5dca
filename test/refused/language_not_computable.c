/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A table begins with what a thread computes.
 *
 * error: test/refused/language_not_computable.c:13:20: what a variable begins with outside of
 *        functions is known only when the program runs
 * help: write a constant there, or assign it in a function that INIT names (<lichen/init.h>)
 */
/* clang-format off */
#include <lichen/print.h>
#include <lichen/thread.h>

static int n = 3;
static int twice = 2 * n;

THREAD(t, 512, PRIORITY_APP)
{
    print("%d\n", twice);
}
