/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The size of a ring is no power of two.
 *
 * refused: the receive ring is a power of two, at most 128
 */
#include <lichen/uart.h>

UART_RINGS(16, 100);
