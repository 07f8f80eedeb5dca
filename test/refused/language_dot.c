/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A dot behind a pointer.
 *
 * error: test/refused/language_dot.c:17:13: what stands before the dot is a pointer
 * help: write -> in place of the dot
 */
/* clang-format off */
#include <lichen/print.h>
#include <lichen/thread.h>

struct point {
    int x;
};

static int of(struct point *p)
{
    return p.x;
}

THREAD(t, 512, PRIORITY_APP)
{
    struct point p = {3};
    print("%d\n", of(&p));
}
