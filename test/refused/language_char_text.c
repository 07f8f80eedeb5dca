/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A text for a character.
 *
 * error: test/refused/language_char_text.c:13:14: a text stands where one character belongs
 * help: write it in single quotes: 'a'
 */
/* clang-format off */
#include <lichen/print.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    char c = "a";
    print("%c\n", c);
}
