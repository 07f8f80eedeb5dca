/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The console's port without the console's driver (frame/samr21/plain_port.h has the names). */
#ifndef TEST_MOTE_FRAME_PLAIN_PORT_H
#define TEST_MOTE_FRAME_PLAIN_PORT_H

#include "board/micaz/pins.h"
#include "chip/atmega128/wiring.h"
#include "chip/usart.h"

static const ARCH_FLASH struct usart_port plain_port = {.usart = BOARD_CONSOLE_USART};

static inline void plain_open(void)
{
    usart_open(&plain_port, BOARD_CONSOLE_BAUD);
}

static inline void plain_send(char character)
{
    (void)usart_send_waiting(&plain_port, (uint8_t)character);
}

#endif
