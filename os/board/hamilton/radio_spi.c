/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Hamilton mote: the SPI bus of the radio in the chip's package. In a separate file, so that a
 * program without it does not link the driver and its interrupts. */
#include <lichen/gpio.h>

#include "chip/samr21/wiring.h"
#include "chip/spi.h"
#include "driver/spi/wiring.h"

CHIP_SPI_INTERRUPTS(spi_radio, CHIP_RADIO_SERCOM, &spi_radio)

static const ARCH_FLASH struct spi_port port = {
    CHIP_RADIO_LINES,
    .send = &spi_radio_send,
    .receive = &spi_radio_receive,
    .conditions = &spi_radio_conditions,
};

SPI_BUS(spi_radio, port);
