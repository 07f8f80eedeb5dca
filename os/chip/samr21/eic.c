/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Edges of pins: the external interrupt controller.
 *
 * It detects with the 32 kHz clock, which runs in every sleep mode, so an edge ends standby.
 * The price is a latency of up to three periods (92 us), and a pulse shorter than two periods (61
 * us) may be missed. That suits buttons, and sensors that hold their line.
 */
#include <lichen/error.h>
#include <lichen/event.h>
#include <lichen/gpio.h>
#include <lichen/interrupt.h>

#include "chip/chip.h"
#include "chip/samr21/clock.h"
#include "chip/samr21/edges.h"
#include "chip/samr21/interrupt.h"
#include "chip/samr21/pin.h"
#include "chip/samr21/reg/eic.h"
#include "chip/samr21/reg/gclk.h"

CLOCK_NEEDS(clock_32k);

enum {
    LINES = 16,
    LINES_PER_CONFIG = 8,
    PA08_NMI = GPIO_PIN('A', 8),
};

_Static_assert((int)GPIO_EDGE_RISING == (int)EIC_CONFIG_SENSE_RISE, "edge is the sense's value");
_Static_assert((int)GPIO_EDGE_FALLING == (int)EIC_CONFIG_SENSE_FALL, "edge is the sense's value");
_Static_assert((int)GPIO_EDGE_BOTH == (int)EIC_CONFIG_SENSE_BOTH, "edge is the sense's value");

/* Posted by the line's interrupt. Written while the line is disabled. */
static struct event *line_event[LINES];

/* Line of a pin (data sheet, multiplexed signals): the pin's number modulo 16, except for the upper
 * pins of port A; -1 if the pin has no line. */
static int line_of(uint8_t pin)
{
    static const int8_t upper_port_a[] = {12, 13, -1, 15, 8, -1, 10, 11};
    const uint8_t first_upper = GPIO_PIN('A', 24);

    if (pin == PA08_NMI || pin >= GPIO_PIN('C', 0)) {
        return -1;
    }
    if (pin >= first_upper && pin < GPIO_PIN('B', 0)) {
        return upper_port_a[pin - first_upper];
    }
    return pin % LINES;
}

/* Takes as long as the controller needs to sample a pin: some periods of the 32 kHz clock. */
static void enable(void)
{
    EIC->CTRL = EIC_CTRL_ENABLE;
    while (EIC->STATUS & EIC_STATUS_SYNCBUSY) {
    }
}

/* A line is low until a pin is connected. The controller has to know the pin's level before it
 * looks for edges, or a pin that is high would have one. */
static void connect(uint8_t pin)
{
    gpio_pin_connect(pin, 'A');
    if (!(EIC->CTRL & EIC_CTRL_ENABLE)) {
        clock_connect(GCLK_ID_EIC, CLOCK_32K);
        chip_interrupt_enable(INTERRUPT_EIC, LEVEL_DRIVER);
    }
    enable();
}

static void sense(unsigned line, enum gpio_edge edge)
{
    unsigned shift = line % LINES_PER_CONFIG * EIC_CONFIG_LINE_BITS;

    shared_register_update(&EIC->CONFIG[line / LINES_PER_CONFIG],
                           (uint32_t)EIC_CONFIG_LINE_Msk << shift, (uint32_t)edge << shift);
}

int gpio_event_on_edge(uint8_t pin, enum gpio_edge edge, struct event *event)
{
    int line = line_of(pin);

    if (line < 0) {
        return ERR_INVALID;
    }
    uint32_t mask = UINT32_C(1) << line;

    EIC->INTENCLR = mask;
    line_event[line] = event;
    if (edge == GPIO_EDGE_NONE) {
        sense((unsigned)line, edge);
        shared_register_update(&EIC->WAKEUP, mask, 0);
        return 0;
    }
    connect(pin);
    sense((unsigned)line, edge);
    EIC->INTFLAG = mask;
    shared_register_update(&EIC->WAKEUP, mask, mask);
    EIC->INTENSET = mask;
    return 0;
}

/* `radio_line.c` refers to it, so that a program with the radio has this handler. */
extern const uint8_t edges;
__attribute__((used)) const uint8_t edges = 0;

INTERRUPT(EIC)
{
    if (radio_line_serve != 0) {
        radio_line_serve();
    }
    uint32_t pending = EIC->INTFLAG & EIC->INTENSET;

    EIC->INTFLAG = pending;
    for (unsigned line = 0; pending != 0; line++, pending >>= 1) {
        if (pending & 1) {
            event_post_from(line_event[line], LEVEL_DRIVER);
        }
    }
}
