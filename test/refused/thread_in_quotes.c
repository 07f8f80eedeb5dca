/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The name of a thread is in quotes.
 *
 * error: test/refused/thread_in_quotes.c:14:8: blinker is written as a text where a name
 *        belongs
 * help: names have no quotes: blinker
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD("blinker", 512, PRIORITY_APP)
{
}
