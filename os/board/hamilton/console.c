/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Hamilton mote: the console's port. In a separate file, so that a program without a console does
 * not link the driver and its interrupt. */
#include "pins.h"
#include "shared_pin.h"

#include <lichen/interrupt.h>

#include "chip/samr21/wiring.h"
#include "driver/console/wiring.h"

PIN_OF_CONSOLE_AND_MOTION(1);

static const ARCH_FLASH struct usart_port console_port = {
    .sercom = BOARD_CONSOLE_SERCOM,
    .function = BOARD_CONSOLE_FUNCTION,
    .send_pin = BOARD_CONSOLE_TX_PIN,
    .send_pad = BOARD_CONSOLE_TX_PAD,
    .receive_pin = BOARD_CONSOLE_RX_PIN,
    .receive_pad = BOARD_CONSOLE_RX_PAD,
};

const ARCH_FLASH struct console_wiring board_console = {
    .port = &console_port,
    .baud = BOARD_CONSOLE_BAUD,
};

INTERRUPT(SERCOM_VECTOR(BOARD_CONSOLE_SERCOM))
{
    console_interrupt();
}
