/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Blink: an LED that changes every second. The shortest complete Lichen program.
 *
 * THREAD declares a thread where it is defined: its name, the bytes of its stack, its priority.
 * There is no main and nothing to register; the linker places the thread, and it starts when
 * the mote does.
 *
 * The loop sleeps until a point in time, not for a length of time. However long the rest of the
 * loop takes, these points stay a second apart, so the light does not drift. While the thread
 * sleeps nothing else is ready, and the mote enters its deepest sleep: no tick runs, and one alarm
 * is set.
 *
 *     ./lichen run blink --for 5s
 */
#include <lichen/led.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(blink, 256, PRIORITY_APP)
{
    uint64_t next_us = time_now_us();

    for (;;) {
        led_toggle(0);
        next_us += TIME_US_PER_S;
        sleep_until_us(next_us);
    }
}
