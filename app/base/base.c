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
#include <lichen/event.h>
#include <lichen/init.h>
#include <lichen/led.h>
#include <lichen/loader.h>
#include <lichen/loader_serial.h>
#include <lichen/time.h>
#include <lichen/timer.h>

LOADER(PRIORITY_HIGH);
LOADER_SERIAL("base");

/* A thread would take memory that programs want. */
EVENT(blink)
{
    led_toggle(0);
}

static TIMER(blink_timer, blink);

static void blink_start(void)
{
    if (timer_arm_every(&blink_timer, time_now_us(), TIME_US_PER_S) != 0) {
        led_on(0);
    }
}
INIT(blink_start);
