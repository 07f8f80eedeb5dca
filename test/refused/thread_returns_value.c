/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread that returns a value.
 *
 * error: test/refused/thread_returns_value.c:13:12: what returns nothing
 *        returns a value here
 * help: write return; alone, or declare the function with the type of its
 *        value; threads and events return none
 */
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    return 1;
}
