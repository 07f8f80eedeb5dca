/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A call outside of functions.
 *
 * error: test/refused/call_outside.c:18:15: the call of `button_notify' stands outside of every
 *        function
 * help: put it into a THREAD, or into a function that INIT names (<lichen/init.h>)
 */
/* clang-format off */
#include <lichen/button.h>
#include <lichen/led.h>
#include <lichen/event.h>

EVENT(pressed)
{
    led_toggle(0);
}

button_notify(0, &pressed);
