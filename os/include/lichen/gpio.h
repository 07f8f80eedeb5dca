/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Digital pins: outputs, inputs, and events on edges.
 *
 * A pin is one byte, port and number together, made by GPIO_PIN('A', 19) as the data sheet spells
 * PA19. The use of each pin on a board is in board/<name>.toml; LEDs, buttons and the console have
 * headers of their own that know it, so a program needs this one only for its own wiring.
 *
 * All functions act at once and none waits. Two contexts may drive two pins of one port, or toggle
 * the same pin. The ATmega128 has no resistors that pull down.
 */
#ifndef LICHEN_GPIO_H
#define LICHEN_GPIO_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/error.h>

struct event;

/* The pin `number` (0 to 31) of the port with this letter, as a constant expression. */
#define GPIO_PIN(port, number)                                                                     \
    ((uint8_t)(((port) - 'A') * 32 + (number) + GPIO_PIN_CHECK(port, number)))

/* 0, if both are in range or variables. On AVR, whose int has 16 bits, a port has 8 pins. */
#define GPIO_PIN_CHECK(port, number)                                                               \
    (0 * (int)sizeof(struct {                                                                      \
         _Static_assert(GPIO_KNOWN(port, 'A') >= 'A' && GPIO_KNOWN(port, 'A') <= 'H',              \
                        "the port of a pin is no capital letter; PA19 is the pin of port A with "  \
                        "the number 19");                                                          \
         _Static_assert((GPIO_KNOWN(number, 0) & (sizeof(int) == 2 ? ~7 : ~31)) == 0,              \
                        "the number of a pin is beyond its port; a port has pins 0 to 31, on the " \
                        "ATmega128 0 to 7");                                                       \
         char nothing;                                                                             \
     }))
#define GPIO_KNOWN(value, otherwise)                                                               \
    __builtin_choose_expr(__builtin_constant_p(value), (value), (otherwise))

/* Resistor that sets the level of an input when nothing else drives it. */
enum gpio_pull {
    GPIO_PULL_NONE,
    GPIO_PULL_UP,
    GPIO_PULL_DOWN,
};

/* Which changes of an input post its event. */
enum gpio_edge {
    GPIO_EDGE_NONE,
    GPIO_EDGE_RISING,
    GPIO_EDGE_FALLING,
    GPIO_EDGE_BOTH,
};

/* Makes `pin` an output at `level`; the pin never shows the other level in between.
 * context   any
 * blocks    no
 */
void gpio_output(uint8_t pin, bool level);

/* Makes `pin` an input.
 * context   any
 * blocks    no
 */
void gpio_input(uint8_t pin, enum gpio_pull pull);

/* Drives the output `pin` high.
 * context   any
 * blocks    no
 */
void gpio_set(uint8_t pin);

/* Drives the output `pin` low.
 * context   any
 * blocks    no
 */
void gpio_clear(uint8_t pin);

/* Inverts the output `pin`.
 * context   any
 * blocks    no
 */
void gpio_toggle(uint8_t pin);

/* Reads the level of `pin`, input or output.
 * returns   true for high
 * context   any
 * blocks    no
 */
bool gpio_read(uint8_t pin);

/* Posts `event` on each `edge` of the input `pin`, even in the deepest sleep. Edges that come while
 * the event is pending coalesce. GPIO_EDGE_NONE stops it.
 *
 * The SAM R21 has 16 lines, and some pins share one: the last call wins. The ATmega128 has lines at
 * PD0 to PD3 and at PE4 to PE7. While one of the latter is low, the mote sleeps no deeper than
 * CHIP_SLEEP_IDLE, so they suit signals that are high at rest; a low pulse that is over before the
 * mote has woken, after 2.2 ms, may be missed.
 *
 * What the pin does before is no edge: the call itself posts nothing, whatever the level.
 *
 * pin       already an input
 * returns   0, or ERR_INVALID if no line reaches the pin
 * context   init, event, thread, coop
 * blocks    no       cost  on the SAM R21 it waits for up to four periods of 32 kHz, 122 us
 * owns      `event` is posted until the next call for this pin
 */
MUST_CHECK int gpio_event_on_edge(uint8_t pin, enum gpio_edge edge, struct event *event);

#endif
