/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A declaration that does not say what its function takes.
 *
 * error: test/refused/language_no_prototype.c:10:1: the declaration leaves
 *        open what the function takes
 * help: write what it takes, or void for nothing: void f(void)
 */
#include <lichen/thread.h>

void helper();

THREAD(t, 512, PRIORITY_APP)
{
    helper();
}
