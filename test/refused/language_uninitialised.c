/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A variable without a value.
 *
 * error: test/refused/language_uninitialised.c:13:9: a variable is read
 *        before it has a value
 * help: give it one where it is declared
 */
#include <lichen/print.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    int x;
    print("%d\n", x);
}
