/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A precision, which print does not know.
 *
 * error: test/refused/print_precision.c:14: print has no `%.3s', which this format uses: "%.3s\n"
 * help: there is no precision, only a width: %5d, %05u, %-8s
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    print("%.3s\n", "abcdef");
}
