/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The board's LEDs, numbered from 0 as board/<name>.toml lists them. On means lit, whatever level
 * the wiring needs. They are off at start-up.
 */
#ifndef LICHEN_LED_H
#define LICHEN_LED_H

/* Number of LEDs on this board; every index below is less than it.
 * returns   0 or more
 * context   any
 * blocks    no
 */
unsigned led_count(void);

/* Turns LED `index` on.
 * context   any
 * blocks    no
 */
void led_on(unsigned index);

/* Turns LED `index` off.
 * context   any
 * blocks    no
 */
void led_off(unsigned index);

/* Turns LED `index` on if it is off, and off if it is on.
 * context   any
 * blocks    no
 */
void led_toggle(unsigned index);

#endif
