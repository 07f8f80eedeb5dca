/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Pins without a wire: outputs read back, and pulls hold. */
#include <lichen/gpio.h>
#include <lichen/led.h>

#include "machine.h"
#include "test.h"

TEST(an_output_reads_back_what_it_drives)
{
    gpio_output(FREE_PIN, true);
    expect(gpio_read(FREE_PIN));
    gpio_clear(FREE_PIN);
    expect(!gpio_read(FREE_PIN));
    gpio_set(FREE_PIN);
    expect(gpio_read(FREE_PIN));
    gpio_toggle(FREE_PIN);
    expect(!gpio_read(FREE_PIN));
    gpio_toggle(FREE_PIN);
    expect(gpio_read(FREE_PIN));
}

TEST(a_pull_holds_a_free_input)
{
    gpio_input(FREE_PIN, GPIO_PULL_UP);
    expect(gpio_read(FREE_PIN));
}

TEST(every_board_has_a_light)
{
    expect(led_count() >= 1);
}
