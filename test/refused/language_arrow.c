/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An arrow behind a structure.
 *
 * error: test/refused/language_arrow.c:18:20: what stands before -> is no pointer
 * help: write a dot: name.field; -> is for a pointer to a structure
 */
/* clang-format off */
#include <lichen/print.h>
#include <lichen/thread.h>

struct point {
    int x;
};

THREAD(t, 512, PRIORITY_APP)
{
    struct point p = {3};
    print("%d\n", p->x);
}
