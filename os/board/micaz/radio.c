/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MICAz mote: the radio. In a separate file, so that a program without it does not link the driver
 * and its interrupts. */
#include "pins.h"

#include "chip/atmega128/wiring.h"
#include "driver/radio/cc2420/wiring.h"

BOARD_PINS_USED(the_bus_of_the_radio);

static const ARCH_FLASH struct spi_port port = {0};

const ARCH_FLASH struct cc2420_wiring cc2420_wiring = {
    .port = &port,
    .select = GPIO_PIN('B', 0),
    .reset = GPIO_PIN('A', 6),
    .regulator = GPIO_PIN('A', 5),
    .fifo = GPIO_PIN('B', 7),
    .fifop = GPIO_PIN('E', 6),
    .cca = GPIO_PIN('D', 6),
    .sfd = GPIO_PIN('D', 4),
};

RADIO_IS(cc2420, CC2420_FACTS);
