/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A number in place of a text.
 *
 * error: test/refused/print_number.c:14:11: argument 1 of print is a number, not an address
 * help: print takes a text first: print("%d\n", number)
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    print(5);
}
