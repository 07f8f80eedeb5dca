/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Hello: text on the console, once a second.
 *
 * print puts the text into a ring and returns; the serial port's interrupt sends it while the
 * thread already sleeps. lichen/print.h lists %lu and the other conversions.
 *
 *     ./lichen run hello --for 3s
 */
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(hello, 512, PRIORITY_APP)
{
    unsigned long seconds = 0;

    for (;;) {
        print("Hello, world! Up for %lu s.\n", seconds);
        seconds++;
        sleep_until_us((uint64_t)seconds * TIME_US_PER_S);
    }
}
