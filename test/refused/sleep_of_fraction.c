/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Half a millisecond.
 *
 * error: test/refused/sleep_of_fraction.c:14:14: a number with a fraction
 *        stands where whole numbers count
 * help: take a smaller unit, such as sleep_us for sleep_ms, or say that it is
 *        cut off: (int)value
 */
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    sleep_ms(0.5);
}
