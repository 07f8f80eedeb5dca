/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A header of avr-libc makes a number of an interrupt's name.
 *
 * on: micaz
 * error: test/refused/rt_of_avr_libc.c:14:1: <avr/io.h> makes a number of `INT7', the interrupt of
 *        `edge'
 * help: write #undef INT7 below the #include
 */
#include <avr/io.h>

#include <lichen/led.h>
#include <lichen/rt.h>

RT_TASK(edge, INT7, .priority = 0, .deadline_us = 100, .wcet_cycles = 100)
{
    led_toggle(0);
}
