/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program that uses the radio itself, and does not take what is received.
 *
 * on: mica2
 * error: undefined reference to `radio_received'
 * help: a program that uses the radio itself defines the event radio_received, which takes what was
 *        received: lichen/radio.h shows one
 */
#include <lichen/event.h>
#include <lichen/radio.h>
#include <lichen/thread.h>

THREAD(listener, 256, PRIORITY_APP)
{
    radio_listen(true);
    /* Names the file in what the linker says. */
    event_post(&radio_received);
}
