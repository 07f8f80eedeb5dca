/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One of two formats, with a comma in it.
 *
 * error: test/refused/format_chosen.c:13:11: the format of print is not a text in quotes
 * help: write if (...) print("..."); else print("...");
 */
#include <lichen/print.h>
#include <lichen/thread.h>

THREAD(tells, 512, PRIORITY_APP)
{
    int left = 3;
    print(left ? "stopped, %d ml left\n" : "done\n", left);
}
