/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SAM R21 Xplained Pro: the SPI bus of the extension headers. In a separate file, so that a program
 * without it does not link the driver and its interrupts. */
#include "pins.h"

#include "chip/samr21/wiring.h"
#include "chip/spi.h"
#include "driver/spi/wiring.h"

CHIP_SPI_INTERRUPTS(spi_board, BOARD_SPI_SERCOM, &spi_board)

static const ARCH_FLASH struct spi_port port = {
    .sercom = BOARD_SPI_SERCOM,
    .function = BOARD_SPI_FUNCTION,
    .mosi_pin = BOARD_SPI_MOSI_PIN,
    .sck_pin = BOARD_SPI_SCK_PIN,
    .miso_pin = BOARD_SPI_MISO_PIN,
    .miso_pad = BOARD_SPI_MISO_PAD,
    .out_pads = SPI_OUT_PADS(BOARD_SPI_MOSI_PAD, BOARD_SPI_SCK_PAD),
    .send = &spi_board_send,
    .receive = &spi_board_receive,
    .conditions = &spi_board_conditions,
};

SPI_BUS(spi_board, port);
