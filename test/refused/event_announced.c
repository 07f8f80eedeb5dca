/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An event is announced as functions of C are.
 *
 * error: test/refused/event_announced.c:12: EVENT(ended) has no body here
 * help: to announce what is declared further down, write EVENT_EXTERN(ended);
 */
#include <lichen/event.h>
#include <lichen/led.h>

#define LAMP 0

EVENT(ended);

EVENT(begins)
{
    event_post(&ended);
}

EVENT(ended)
{
    led_off(LAMP);
}
