/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MICAz mote: the second serial port. In a separate file, so that a program without it does not
 * link the driver and its interrupts. */
#include "pins.h"

#include "chip/atmega128/wiring.h"
#include "driver/uart/wiring.h"

BOARD_PINS_USED(data_flash_and_uart_have_the_same_pins);

const ARCH_FLASH struct usart_port board_uart = {.usart = BOARD_UART_USART};

CHIP_USART_INTERRUPTS(BOARD_UART_USART, &board_uart, uart_interrupt)
