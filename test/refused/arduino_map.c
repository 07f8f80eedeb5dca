/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A function of Arduino.
 *
 * error: test/refused/arduino_map.c:13:13: nothing declares `map'
 * help: write it out: (x - from_low) * (to_high - to_low) / (from_high - from_low) + to_low
 */
/* clang-format off */
#include <lichen/print.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    int x = map(5, 0, 10, 0, 100);
    print("%d\n", x);
}
