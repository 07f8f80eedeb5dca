/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A loop goes beyond the end of an array.
 *
 * error: test/refused/language_loop_beyond.c:17:14: the loop goes beyond the end of an array, or
 *        counts beyond its type
 * help: an array of n elements has those from 0 to n - 1: write i < n, and not i <= n
 */
/* clang-format off */
#include <lichen/print.h>
#include <lichen/thread.h>

int a[4];

THREAD(t, 512, PRIORITY_APP)
{
    for (int i = 0; i <= 4; i++) {
        a[i] = i;
    }
    print("%d\n", a[0]);
}
