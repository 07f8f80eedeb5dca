/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MICAz mote: storage is the data flash. In a separate file, so that a program without storage does
 * not link the driver. */
#include "pins.h"

#include "chip/atmega128/wiring.h"
#include "driver/storage/at45db.h"
#include "driver/storage/at45db_wiring.h"
#include "driver/storage/medium.h"

BOARD_PINS_USED(data_flash_and_uart_have_the_same_pins);

CHIP_SPI_PINS(at45db_wires, BOARD_AT45DB041B_SELECT_PIN, BOARD_SPI_MOSI_PIN, BOARD_SPI_SCK_PIN,
              BOARD_SPI_MISO_PIN)

STORAGE_IS(at45db)
STORAGE_HAS(AT45DB041B_PAGES);
