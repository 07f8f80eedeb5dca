/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A number is added to a text.
 *
 * error: test/refused/print_plus.c:14:11: + joins no texts, and no number to a text
 * help: write print("t = %d", degrees), with %s for a text
 */
/* clang-format off */
#include <lichen/print.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    int degrees = 3;
    print("t = " + degrees);
}
