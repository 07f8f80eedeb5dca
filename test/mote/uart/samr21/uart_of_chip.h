/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The second serial port on the SAM R21. The same names for every chip. */
#ifndef UART_OF_CHIP_H
#define UART_OF_CHIP_H

#include "sleep_mode.h"

enum {
    TOO_SLOW = 199,
    TOO_FAST = 500001,
    SLEEP_LISTENING = SLEEP_DEEPEST, /* a start bit wakes the port */
};

#endif
