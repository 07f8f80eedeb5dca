/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The board's buttons, numbered from 0 as board/<name>.toml lists them, debounced.
 *
 *     EVENT(pressed_or_released) { if (button_pressed(0)) { led_toggle(0); } }
 *     ... button_notify(0, &pressed_or_released);
 *
 * An edge wakes the mote from its deepest sleep, a timer waits until the contacts have settled, and
 * only a level that differs from the last one counts: a press and its release are two posts.
 */
#ifndef LICHEN_BUTTON_H
#define LICHEN_BUTTON_H

#include <stdbool.h>

struct event;

/* Milliseconds for which the contacts must be stable. A shorter press goes unnoticed. */
#define BUTTON_SETTLE_MS 20u

/* Number of buttons on this board; every index below is less than it.
 * returns   0 or more
 * context   any
 * blocks    no
 */
unsigned button_count(void);

/* Posts `event` each time button `index` has been pressed or released; a null pointer stops it.
 * context   event, thread, coop
 * blocks    no
 * owns      `event` is posted until the next call for this button
 */
void button_notify(unsigned index, struct event *event);

/* Whether button `index` is held down, as last posted. Needs button_notify before.
 * returns   true while it is held
 * context   event, thread, coop
 * blocks    no
 */
bool button_pressed(unsigned index);

#endif
