/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An interrupt as on Arduino.
 *
 * error: test/refused/arduino_interrupt.c:20:5: nothing declares `attachInterrupt'
 * help: a button posts an event by button_notify (<lichen/button.h>), another pin by
 *        gpio_event_on_edge (<lichen/gpio.h>)
 */
/* clang-format off */
#include <lichen/button.h>
#include <lichen/led.h>
#include <lichen/thread.h>

EVENT(pressed)
{
    led_toggle(0);
}

THREAD(t, 512, PRIORITY_APP)
{
    attachInterrupt(2, pressed, 1);
}
