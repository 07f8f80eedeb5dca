/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The board's lights, numbered from 0 as board/<name>.toml lists them. On is lit, whatever level
 * the wiring needs. They are dark from the start.
 */
#ifndef LICHEN_LED_H
#define LICHEN_LED_H

/* Number of LEDs on this board; the index of every call is below it.
 * returns   0 or more
 * context   any
 * blocks    no
 */
unsigned led_count(void);

/* Lights LED `index`.
 * context   any
 * blocks    no
 */
void led_on(unsigned index);

/* Darkens LED `index`.
 * context   any
 * blocks    no
 */
void led_off(unsigned index);

/* Lights LED `index` if it is dark, darkens it if it is lit.
 * context   any
 * blocks    no
 */
void led_toggle(unsigned index);

#endif
