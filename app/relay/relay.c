/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Relay: an image that takes programs over its serial console and over the air, and passes them on.
 * Of a network of these motes one is sent a program, and all of them run it.
 *
 *     ./lichen key app/relay/relay.key
 *     ./lichen pack sense --board hamilton --key app/relay/relay.key
 *     ./lichen run relay --serial
 *     ./lichen load build/hamilton/sense/sense.lichen --to-all --port ...
 *
 * Its own work is to blink. The radio listens all the time.
 */
#include <lichen/event.h>
#include <lichen/init.h>
#include <lichen/led.h>
#include <lichen/loader.h>
#include <lichen/loader_air.h>
#include <lichen/loader_serial.h>
#include <lichen/time.h>
#include <lichen/timer.h>

LOADER(PRIORITY_HIGH);
LOADER_SERIAL("relay");
LOADER_OVER_THE_AIR(0);

PACKET_POOL(8);

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
