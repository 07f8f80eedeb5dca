/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Base: an image that takes programs while it runs, over its serial console.
 *
 * Its own work is to blink. What it offers to programs stands in its manifest: groups of calls, and
 * the key under which programs are packed that it trusts.
 *
 *     ./lichen key app/base/base.key
 *     ./lichen run base --serial
 *     ./lichen pack hello --key app/base/base.key
 *     ./lichen load build/hamilton/hello/hello.lichen --port ...
 *     ./lichen ps --port ...
 */
#include <lichen/led.h>
#include <lichen/loader.h>
#include <lichen/loader_serial.h>
#include <lichen/thread.h>
#include <lichen/time.h>

LOADER(PRIORITY_HIGH);
LOADER_SERIAL(PRIORITY_HIGH);

THREAD(base, 256, PRIORITY_APP)
{
    uint64_t next_us = time_now_us();

    for (;;) {
        led_toggle(0);
        next_us += TIME_US_PER_S;
        sleep_until_us(next_us);
    }
}
