/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Quotes of a word processor.
 *
 * error: test/refused/language_typographic.c:14:11: the quotes in this line are those of a word
 *        processor
 * help: type them anew: " around a text, ' around a character
 */
/* clang-format off */
#include <lichen/print.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    print(“hello\n”);
}
