/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SAM R21 Xplained Pro: the second serial port. In a separate file, so that a program without it
 * does not link the driver and its interrupt. */
#include "pins.h"

#include <lichen/interrupt.h>

#include "chip/samr21/wiring.h"
#include "driver/uart/wiring.h"

const ARCH_FLASH struct usart_port board_uart = {
    .sercom = BOARD_UART_SERCOM,
    .function = BOARD_UART_FUNCTION,
    .send_pin = BOARD_UART_TX_PIN,
    .send_pad = BOARD_UART_TX_PAD,
    .receive_pin = BOARD_UART_RX_PIN,
    .receive_pad = BOARD_UART_RX_PAD,
};

INTERRUPT(SERCOM_VECTOR(BOARD_UART_SERCOM))
{
    uart_interrupt();
}
