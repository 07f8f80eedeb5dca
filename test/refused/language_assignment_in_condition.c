/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A condition assigns.
 *
 * error: test/refused/language_assignment_in_condition.c:17:9: a single = assigns, and
 *        stands in a condition
 * help: write == to compare
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    int a = 1;
    if (a = 2) {
        led_toggle(0);
    }
}
