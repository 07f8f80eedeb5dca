/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A text in place of a number.
 *
 * error: test/refused/language_text_for_number.c:15:14: argument 1 of sleep_ms is a text or
 *        an address, not a number
 * help: take the quotes or the & away, or compare the order of the arguments with the header
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    sleep_ms("100");
}
