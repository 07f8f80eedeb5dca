/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Buttons: an edge starts a timer, each further edge restarts it, and once the contacts have
 * settled the levels are compared with the last ones.
 *
 * One event and one timer serve all buttons: people press them, so two at once only means a
 * slightly later answer. Everything here runs at the kernel level except the public functions,
 * which access one word each.
 */
#include <lichen/button.h>

#include <lichen/event.h>
#include <lichen/gpio.h>
#include <lichen/assert.h>
#include <lichen/timer.h>

#include "driver/button/wiring.h"

static struct event *client[BUTTONS_MAX]; /* the event to post; written by button_notify */
static volatile uint8_t pressed;          /* bit per button, as last posted; kernel level */

static bool reads_pressed(unsigned index)
{
    const ARCH_FLASH struct button *button = &board_buttons[index];

    return gpio_read(button->pin) == button->pressed_level;
}

EVENT(button_settled)
{
    for (unsigned index = 0; index < board_button_count; index++) {
        uint8_t bit = (uint8_t)(1u << index);
        uint8_t now = reads_pressed(index) ? bit : 0;

        if (client[index] != NULL && (pressed & bit) != now) {
            pressed ^= bit;
            event_post(client[index]);
        }
    }
}

static TIMER(settle, button_settled);

EVENT(button_edge)
{
    timer_cancel(&settle);
    int error = timer_arm(&settle, time_now_us() + BUTTON_SETTLE_MS * TIME_US_PER_MS);
    assert(error == 0);
}

unsigned button_count(void)
{
    return board_button_count;
}

void button_notify(unsigned index, struct event *event)
{
    assert(index < board_button_count); /* else the board has no such button: button_count */
    assert(index < BUTTONS_MAX);        /* else the driver has no room for it */
    const ARCH_FLASH struct button *button = &board_buttons[index];
    enum gpio_edge edges = event != NULL ? GPIO_EDGE_BOTH : GPIO_EDGE_NONE;

    client[index] = event;
    gpio_input(button->pin, button->pull);
    int error = gpio_event_on_edge(button->pin, edges, &button_edge);
    assert(error == 0);
}

bool button_pressed(unsigned index)
{
    assert(index < board_button_count); /* else the board has no such button: button_count */
    return pressed & 1u << index;
}
