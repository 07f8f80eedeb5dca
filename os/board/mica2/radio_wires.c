/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MICA2 mote: how the CC1000 is wired. In a separate file, so that a program without it does not
 * link the driver and its interrupt. The pins are those of board/mica2.toml. */
#include <lichen/gpio.h>

#include "chip/spi_slave.h"
#include "chip/atmega128/wiring.h"
#include "driver/radio/cc1000/wiring.h"

CC1000_WIRES(GPIO_PIN('D', 4), GPIO_PIN('D', 6), GPIO_PIN('D', 7))

const ARCH_FLASH uint8_t cc1000_rssi_pin = GPIO_PIN('F', 0);

CHIP_SPI_SLAVE_INTERRUPT(cc1000_byte)
