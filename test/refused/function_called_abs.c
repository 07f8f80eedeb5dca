/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A function has a name of the C library.
 *
 * error: test/refused/function_called_abs.c:11:12: `abs' is the name of a function of the C library
 * help: give this another name, such as my_abs
 */
/* clang-format off */
#include <lichen/print.h>
#include <lichen/thread.h>

static int abs(int n)
{
    return n < 0 ? -n : n;
}

THREAD(t, 512, PRIORITY_APP)
{
    print("%d\n", abs(-3));
}
