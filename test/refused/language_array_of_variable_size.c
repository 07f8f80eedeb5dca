/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An array has a size that only the run knows.
 *
 * error: test/refused/language_array_of_variable_size.c:16:5: the array has a size that only
 *        the run knows, and stacks are small
 * help: give it a constant size: enum { SIZE = 32 }
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

static volatile int n = 2000;
THREAD(t, 512, PRIORITY_APP)
{
    volatile char b[n];
    b[0] = 1;
}
