/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A table in a section of the program's own, which nothing places.
 *
 * on: micaz
 * error: test/refused/section_own_avr.c:12: section `own' is in flash,
 *        where variables of this chip are not read from
 * help: take section("own") away: what has no section of its own is where it works
 */
#include <lichen/print.h>
#include <lichen/thread.h>

__attribute__((section("own"))) const int table[] = {1, 2, 3};
static volatile unsigned i;

THREAD(t, 512, PRIORITY_APP)
{
    print("%d\n", table[i]);
}
