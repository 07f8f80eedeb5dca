/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A text in single quotes.
 *
 * error: test/refused/language_single_quotes.c:13:18: a text stands in single
 *        quotes, which are for one character
 * help: write it in double quotes: "hello"
 */
#include <lichen/print.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    print('hello');
}
