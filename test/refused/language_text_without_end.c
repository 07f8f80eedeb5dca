/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A text has no closing quote.
 *
 * error: test/refused/language_text_without_end.c:15:11: a text has no end
 * help: write " behind it
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    print("hello\n);
}
