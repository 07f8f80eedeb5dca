/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Pins of waves beside the radio, what starting one at the other says, and how the mote sleeps
 * while the radio listens. */
#ifndef TEST_MOTE_FRAME_WAVE_PINS_H
#define TEST_MOTE_FRAME_WAVE_PINS_H

#include <lichen/pwm.h>

enum {
    WAVE_PIN = GPIO_PIN('A', 19),
    OTHER_PIN = GPIO_PIN('A', 18),
    OTHER_PIN_RESULT = ERR_INVALID,
};

#define SLEEP_BESIDE_RADIO SLEEP_DEEPEST

#endif
