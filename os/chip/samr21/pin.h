/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Pins as the chip's own blocks use them. */
#ifndef SAMR21_PIN_H
#define SAMR21_PIN_H

#include <stdint.h>

/* Gives `pin` to the peripheral of `function`, 'A' to 'H' as in the data sheet's table of
 * multiplexed signals. The input buffer is on, so that edges and levels are seen. */
void pin_connect(uint8_t pin, char function);

#endif
