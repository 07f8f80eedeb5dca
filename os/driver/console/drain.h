/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* When the console has sent everything. */
#ifndef DRIVER_CONSOLE_DRAIN_H
#define DRIVER_CONSOLE_DRAIN_H

#include <stdbool.h>

#include <lichen/event.h>

/* Has `event`, always the same one, posted when everything has been sent.
 * returns   false: nothing is being sent, and nothing will be posted
 * context   event
 * blocks    no
 */
bool console_ask_sent(struct event *event);

#endif
