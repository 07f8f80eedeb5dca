/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread is declared without the header.
 *
 * error: test/refused/thread_not_included.c:10:10: `THREAD' is declared in <lichen/thread.h>, which
 *        is not included
 * help: write #include <lichen/thread.h> at the top of the file
 */
#include <lichen/led.h>

THREAD(t, 512, PRIORITY_APP)
{
    led_on(0);
}
