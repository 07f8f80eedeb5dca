/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A timer is given the address of its event.
 *
 * error: test/refused/timer_of_address.c:17:1: TIMER takes the name of the event, and not its
 *        address
 * help: write it without &: TIMER(tick, ticked)
 */
#include <lichen/event.h>
#include <lichen/led.h>
#include <lichen/timer.h>

EVENT(ticked)
{
    led_toggle(0);
}

TIMER(tick, &ticked);
