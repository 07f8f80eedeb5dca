/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Pins without a wire, on the SAM R21: a pull-down holds, and reversing a pull makes an edge. */
#include <lichen/event.h>
#include <lichen/gpio.h>
#include <lichen/time.h>

#include "machine.h"
#include "test.h"

/* The longest that edge detection may take: three periods of 32 kHz, and the input's own
 * synchronizer. */
#define EDGE_US 200

static volatile unsigned edges;

EVENT(edge)
{
    edges++;
}

static unsigned edges_after(void (*change)(uint8_t))
{
    edges = 0;
    change(FREE_PIN);
    sleep_us(EDGE_US);
    return edges;
}

/* The first one, since a pin that has been connected stays so. */
TEST(a_high_pin_has_no_edge_when_it_is_connected)
{
    gpio_input(FREE_PIN, GPIO_PULL_UP);
    expect_equal(gpio_event_on_edge(FREE_PIN, GPIO_EDGE_BOTH, &edge), 0);
    sleep_us(EDGE_US);
    expect_equal(edges, 0);
}

TEST(a_pull_down_holds_a_free_input)
{
    gpio_input(FREE_PIN, GPIO_PULL_DOWN);
    expect(!gpio_read(FREE_PIN));
}

TEST(both_edges_post)
{
    gpio_input(FREE_PIN, GPIO_PULL_DOWN);
    expect_equal(gpio_event_on_edge(FREE_PIN, GPIO_EDGE_BOTH, &edge), 0);
    sleep_us(EDGE_US);
    expect_equal(edges_after(gpio_set), 1);
    expect_equal(edges_after(gpio_clear), 1);
}

TEST(a_rising_edge_posts_and_a_falling_one_does_not)
{
    gpio_input(FREE_PIN, GPIO_PULL_DOWN);
    expect_equal(gpio_event_on_edge(FREE_PIN, GPIO_EDGE_RISING, &edge), 0);
    sleep_us(EDGE_US);
    expect_equal(edges_after(gpio_set), 1);
    expect_equal(edges_after(gpio_clear), 0);
}

TEST(a_falling_edge_posts_and_a_rising_one_does_not)
{
    gpio_input(FREE_PIN, GPIO_PULL_DOWN);
    expect_equal(gpio_event_on_edge(FREE_PIN, GPIO_EDGE_FALLING, &edge), 0);
    sleep_us(EDGE_US);
    expect_equal(edges_after(gpio_set), 0);
    expect_equal(edges_after(gpio_clear), 1);
}

TEST(no_edge_posts_after_the_end)
{
    expect_equal(gpio_event_on_edge(FREE_PIN, GPIO_EDGE_NONE, &edge), 0);
    expect_equal(edges_after(gpio_toggle), 0);
    expect_equal(edges_after(gpio_toggle), 0);
}

TEST(a_pin_without_a_line_is_refused)
{
    expect_equal(gpio_event_on_edge(GPIO_PIN('A', 8), GPIO_EDGE_BOTH, &edge), ERR_INVALID);
    expect_equal(gpio_event_on_edge(GPIO_PIN('C', 18), GPIO_EDGE_BOTH, &edge), ERR_INVALID);
}
