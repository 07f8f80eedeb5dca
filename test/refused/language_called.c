/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A variable is called like a function.
 *
 * error: test/refused/language_called.c:15:19: what stands before the ( is no function
 * help: take the parentheses away, or write the name of a function
 */
/* clang-format off */
#include <lichen/print.h>
#include <lichen/thread.h>

static int n = 3;

THREAD(t, 512, PRIORITY_APP)
{
    print("%d\n", n(3));
}
