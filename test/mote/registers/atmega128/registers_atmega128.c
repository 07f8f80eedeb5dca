/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Shared registers of the ATmega128: those of ports, whose pins have different users. Port C lies
 * where SBI and CBI reach, port F does not.
 */
#include <avr/io.h>

#include <lichen/gpio.h>

#include "../registers.h"
#include "test.h"

#define CYCLES 200

static uint8_t port; /* its first pin */

/* Pin 6 is the thread's, pin 7 the event's. */
static void set_level(uint8_t pin, bool high)
{
    if (high) {
        gpio_set((uint8_t)(port + pin));
    } else {
        gpio_clear((uint8_t)(port + pin));
    }
}

static void threads_level(bool odd)
{
    set_level(6, odd);
}

static void events_level(bool odd)
{
    set_level(7, odd);
}

static void check_levels(bool threads, bool events)
{
    uint8_t levels = port == GPIO_PIN('C', 0) ? PORTC : PORTF;
    expect_equal(levels >> 6, (unsigned)events << 1 | threads);
}

TEST(no_level_of_a_pin_is_lost)
{
    port = GPIO_PIN('C', 0);
    sweep(threads_level, events_level, check_levels, CYCLES);
    port = GPIO_PIN('F', 0);
    sweep(threads_level, events_level, check_levels, CYCLES);
}

static void set_direction(uint8_t pin, bool out)
{
    if (out) {
        gpio_output((uint8_t)(port + pin), false);
    } else {
        gpio_input((uint8_t)(port + pin), GPIO_PULL_NONE);
    }
}

static void threads_direction(bool odd)
{
    set_direction(6, odd);
}

static void events_direction(bool odd)
{
    set_direction(7, odd);
}

static void check_directions(bool threads, bool events)
{
    uint8_t directions = port == GPIO_PIN('C', 0) ? DDRC : DDRF;
    expect_equal(directions >> 6, (unsigned)events << 1 | threads);
}

TEST(no_direction_of_a_pin_is_lost)
{
    port = GPIO_PIN('C', 0);
    sweep(threads_direction, events_direction, check_directions, CYCLES);
    port = GPIO_PIN('F', 0);
    sweep(threads_direction, events_direction, check_directions, CYCLES);
}

static void threads_toggle(bool odd)
{
    (void)odd;
    gpio_toggle((uint8_t)(port + 6));
}

static void events_toggle(bool odd)
{
    (void)odd;
    gpio_toggle((uint8_t)(port + 7));
}

TEST(no_toggling_of_a_pin_is_lost)
{
    port = GPIO_PIN('C', 0);
    PORTC = 0; /* the sweeps before were of whole periods */
    sweep(threads_toggle, events_toggle, check_levels, CYCLES);
}

static void toggle_the_same(bool odd)
{
    (void)odd;
    gpio_toggle(GPIO_PIN('C', 6));
}

static void check_parity(bool threads, bool events)
{
    expect_equal(PORTC >> 6 & 1, threads ^ events);
}

TEST(no_toggling_of_the_same_pin_is_lost)
{
    PORTC = 0;
    sweep(toggle_the_same, toggle_the_same, check_parity, CYCLES);
}
