/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The radio's interrupt request, PB00, at line 0 of the EIC.
 *
 * The line is sensed by its level, since edges are detected with 32 kHz: that would come up to 92
 * us late, and wake the processor as late. A level is detected without a clock, also in standby
 * (SAM R21 data sheet, section EIC).
 */
#include "chip/radio_line.h"

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

#define IRQ_PIN GPIO_PIN('B', 0)

enum {
    LINE = 0,
    LINE_MASK = 1 << LINE,
};

static struct event *requested; /* constant after start-up */

/* Written by the handler while the line is enabled; else by the functions below. */
static volatile bool has_come;

static void enable_controller(void)
{
    if (!(EIC->CTRL & EIC_CTRL_ENABLE)) {
        clock_connect(GCLK_ID_EIC, CLOCK_32K);
    }
    EIC->CTRL = EIC_CTRL_ENABLE;
    while (EIC->STATUS & EIC_STATUS_SYNCBUSY) {
    }
}

void radio_line_open(struct event *event)
{
    requested = event;
    gpio_input(IRQ_PIN, GPIO_PULL_DOWN);
    gpio_pin_connect(IRQ_PIN, 'A');
    EIC->EVCTRL |= LINE_MASK;
    shared_register_update(&EIC->CONFIG[0], EIC_CONFIG_LINE_Msk, EIC_CONFIG_SENSE_HIGH);
    shared_register_update(&EIC->WAKEUP, LINE_MASK, LINE_MASK);
    enable_controller();
    chip_interrupt_enable(INTERRUPT_EIC, LEVEL_DRIVER);
}

/* The flag is set again if the level holds. */
void radio_line_enable(void)
{
    has_come = false;
    EIC->INTFLAG = LINE_MASK;
    EIC->INTENSET = LINE_MASK;
}

void radio_line_disable(void)
{
    EIC->INTENCLR = LINE_MASK;
    has_come = false;
}

bool radio_line_has_come(void)
{
    return has_come;
}

#pragma weak radio_clock_capture

ARCH_REFER(".lichen.vectors", "edges");

__attribute__((used)) void radio_line_serve(void)
{
    if (EIC->INTFLAG & EIC->INTENSET & LINE_MASK) {
        EIC->INTENCLR = LINE_MASK;
        if (radio_clock_capture != 0) {
            radio_clock_capture();
        }
        has_come = true;
        event_post_from(requested, LEVEL_DRIVER);
    }
}
