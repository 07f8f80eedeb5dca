/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Pins of waves beside the radio (frame/samr21/wave_pins.h has the names). */
#ifndef TEST_MOTE_FRAME_WAVE_PINS_H
#define TEST_MOTE_FRAME_WAVE_PINS_H

#include <lichen/pwm.h>

enum {
    WAVE_PIN = GPIO_PIN('E', 3),
    OTHER_PIN = GPIO_PIN('E', 4),
    OTHER_PIN_RESULT = 0,
};

#define SLEEP_BESIDE_RADIO 2u /* extended standby */

#endif
