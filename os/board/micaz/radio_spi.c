/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MICAz mote: the SPI bus of the radio. In a separate file, so that a program without it does not
 * link the driver and its interrupt. */
#include "chip/atmega128/wiring.h"
#include "driver/spi/wiring.h"

BOARD_PINS_USED(the_bus_of_the_radio);

CHIP_SPI_INTERRUPTS(&spi_radio)

static const ARCH_FLASH struct spi_port port = {0};

SPI_BUS(spi_radio, port);
