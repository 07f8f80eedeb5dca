/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A text to print that is no format.
 *
 * error: test/refused/print_text_variable.c:15:11: the format of print is not
 *        a text in quotes
 * help: write print("%s", s)
 */
#include <lichen/print.h>
#include <lichen/thread.h>

static char s[20];

THREAD(t, 512, PRIORITY_APP)
{
    print(s);
}
