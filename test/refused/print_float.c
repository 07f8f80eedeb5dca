/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A format has a number with a point.
 *
 * error: test/refused/print_float.c:15: print has no `%f', which this format uses: "%f %d %s"
 * help: there is no floating point in formats: print a number in two parts, such as hundredths
 *        by print("%d.%02d", n / 100, n % 100)
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    print("%f %d %s", 3.5, 7, "x");
}
