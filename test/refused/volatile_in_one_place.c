/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A variable is volatile where it is announced, and not where it is defined.
 *
 * error: test/refused/volatile_in_one_place.c:13:10: `overruns' is declared twice, and not in the
 *        same way
 * help: make both the same, or give one another name; the other is at
 *        test/refused/volatile_in_one_place.c:11:26
 */
#include <lichen/thread.h>

extern volatile unsigned overruns;

unsigned overruns;

THREAD(counts, 256, PRIORITY_APP)
{
    overruns++;
}
