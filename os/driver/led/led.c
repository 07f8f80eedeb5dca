/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* LEDs: a table from the board, with levels inverted where the wiring is. */
#include <lichen/gpio.h>
#include <lichen/led.h>
#include <lichen/assert.h>

#include "driver/led/wiring.h"

static const ARCH_FLASH struct led *led_at(unsigned index)
{
    assert(index < board_led_count); /* else the board has no such LED: led_count */
    return &board_leds[index];
}

unsigned led_count(void)
{
    return board_led_count;
}

static void led_drive(const ARCH_FLASH struct led *led, bool level)
{
    if (level) {
        gpio_set(led->pin);
    } else {
        gpio_clear(led->pin);
    }
}

void led_on(unsigned index)
{
    const ARCH_FLASH struct led *led = led_at(index);

    led_drive(led, led->on_level);
}

void led_off(unsigned index)
{
    const ARCH_FLASH struct led *led = led_at(index);

    led_drive(led, !led->on_level);
}

void led_toggle(unsigned index)
{
    gpio_toggle(led_at(index)->pin);
}
