/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A table in a section of the program's own, which nothing places.
 *
 * error: test/refused/section_own.c:11: section `own' is in RAM, where
 *        start-up gives it no values
 * help: take section("own") away: what has no section of its own is where it works
 */
#include <lichen/print.h>
#include <lichen/thread.h>

__attribute__((section("own"))) int table[] = {1, 2, 3};
static volatile unsigned i;

THREAD(t, 512, PRIORITY_APP)
{
    print("%d\n", table[i]);
}
