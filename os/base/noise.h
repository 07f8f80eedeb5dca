/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Noise for random numbers, from a part that observes some. */
#ifndef BASE_NOISE_H
#define BASE_NOISE_H

#include <stdint.h>

/* Adds noise, if the program has not said where its sequence begins (random_seed). 0 in a program
 * that draws no random numbers: who has noise looks.
 * noise     any bits of it are unpredictable
 * context   event
 * blocks    no       cost  that of four numbers
 */
__attribute__((weak)) void random_noise(uint32_t noise);

#endif
