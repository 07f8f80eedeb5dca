/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A structure without a semicolon.
 *
 * error: test/refused/semicolon_of_struct.c:14: a ; is missing at the end of
 *        this line
 * help: declarations end with it, by macros and of structures, too
 */
#include <lichen/print.h>
#include <lichen/thread.h>

struct point {
    int x;
    int y;
}

THREAD(t, 512, PRIORITY_APP)
{
    struct point p = {1, 2};
    print("%d\n", p.x);
}
