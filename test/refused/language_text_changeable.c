/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A text that could be changed.
 *
 * error: test/refused/language_text_changeable.c:13:15: a text in quotes
 *        cannot be changed, and this pointer would permit it
 * help: declare it const: const char *
 */
#include <lichen/print.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    char *s = "hello";
    print(s);
}
