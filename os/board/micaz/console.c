/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MICAz mote: the console's port. In a separate file, so that a program without a console does not
 * link the driver and its interrupts. */
#include "pins.h"

#include "chip/atmega128/wiring.h"
#include "driver/console/wiring.h"

static const ARCH_FLASH struct usart_port console_port = {.usart = BOARD_CONSOLE_USART};

const ARCH_FLASH struct console_wiring board_console = {
    .port = &console_port,
    .baud = BOARD_CONSOLE_BAUD,
};

CHIP_USART_INTERRUPTS(BOARD_CONSOLE_USART, &console_port, console_interrupt)
