/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The console's port without the console's driver, which would bring threads. The same names for
 * every chip.
 */
#ifndef TEST_MOTE_FRAME_PLAIN_PORT_H
#define TEST_MOTE_FRAME_PLAIN_PORT_H

#include <lichen/interrupt.h>

#include "board/hamilton/pins.h"
#include "chip/samr21/wiring.h"
#include "chip/usart.h"

static const struct usart_port plain_port = {
    .sercom = BOARD_CONSOLE_SERCOM,
    .function = BOARD_CONSOLE_FUNCTION,
    .send_pin = BOARD_CONSOLE_TX_PIN,
    .send_pad = BOARD_CONSOLE_TX_PAD,
    .receive_pin = BOARD_CONSOLE_RX_PIN,
    .receive_pad = BOARD_CONSOLE_RX_PAD,
};

/* Opening the port enables its line. Nobody types. */
INTERRUPT(SERCOM0)
{
}

static inline void plain_open(void)
{
    usart_open(&plain_port, BOARD_CONSOLE_BAUD);
}

static inline void plain_send(char character)
{
    (void)usart_send_waiting(&plain_port, (uint8_t)character);
}

#endif
