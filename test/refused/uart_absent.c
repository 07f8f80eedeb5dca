/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A board without a second serial port.
 *
 * on: hamilton
 * refused: undefined reference to `board_uart'
 */
#include <lichen/thread.h>
#include <lichen/time.h>
#include <lichen/uart.h>

UART_RINGS(16, 16);

THREAD(sends, 384, PRIORITY_APP)
{
    (void)!uart_open(9600, UART_NO_PARITY);
    (void)!uart_write("a", 1, TIME_NEVER);
}
