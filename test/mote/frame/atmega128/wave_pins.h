/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Pins of waves beside the radio (frame/samr21/wave_pins.h has the names). */
#ifndef TEST_MOTE_FRAME_WAVE_PINS_H
#define TEST_MOTE_FRAME_WAVE_PINS_H

#include <lichen/pwm.h>
#include <lichen/radio.h>

enum {
    WAVE_PIN = GPIO_PIN('E', 3),
    OTHER_PIN = GPIO_PIN('E', 4),
    OTHER_PIN_RESULT = 0,
};

/* Extended standby, with a radio that keeps a frame; a byte must be taken at once. */
#define SLEEP_BESIDE_RADIO ((radio_facts.capabilities & RADIO_CAN_TELL_TIME) != 0 ? 2u : 0u)

#endif
