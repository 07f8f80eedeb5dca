/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The second serial port on the ATmega128. */
#ifndef UART_OF_CHIP_H
#define UART_OF_CHIP_H

#include "sleep_mode.h"

#define TOO_SLOW UINT32_C(0)
#define TOO_FAST UINT32_C(200000) /* 184,320 would be 8 % less */

enum {
    SLEEP_LISTENING = 0, /* idle */
};

#endif
