/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The board's second serial port: 8 data bits, one stop bit. The first one is the console's.
 *
 *     UART_RINGS(32, 128);                            in one file of the program
 *     int error = uart_open(9600, UART_NO_PARITY);
 *     ... error = uart_write("AT\r", 3, deadline);
 *     ... error = uart_read(answer, sizeof(answer), &length, deadline); ...
 *
 * A board without such a port (hamilton) has no `board_uart`, and the program does not link. On the
 * MICAs it has the pins of the data flash: a program with storage does not link either.
 *
 * Bytes are sent and received by interrupts while threads run or the mote sleeps. The SAM R21
 * sleeps in standby while the line is idle: a start bit wakes the port, and the complete byte the
 * processor. The ATmega128 receives in idle mode only, so from the first reading on it sleeps no
 * deeper.
 */
#ifndef LICHEN_UART_H
#define LICHEN_UART_H

#include <stddef.h>
#include <stdint.h>

#include <lichen/arch.h>
#include <lichen/error.h>

struct usart_port;

/* The board's port, and the program's choice of it: the linker names the program if the board has
 * none. */
extern const ARCH_FLASH struct usart_port board_uart;
extern const ARCH_FLASH struct usart_port *const uart_port;

/* Declares the rings of bytes to be sent and that have been received: powers of two, at most 128.
 */
#define UART_RINGS(send, receive)                                                                  \
    _Static_assert((send) > 0 && (send) <= 128 && ((send) & ((send)-1)) == 0,                      \
                   "the send ring is a power of two, at most 128");                                \
    _Static_assert((receive) > 0 && (receive) <= 128 && ((receive) & ((receive)-1)) == 0,          \
                   "the receive ring is a power of two, at most 128");                             \
    static uint8_t volatile uart_send_bytes[send], uart_receive_bytes[receive];                    \
    const ARCH_FLASH struct usart_port *const uart_port = &board_uart;                             \
    struct uart_ring uart_send_ring = {.mask = (send)-1, .byte = uart_send_bytes};                 \
    struct uart_ring uart_receive_ring = {.mask = (receive)-1, .byte = uart_receive_bytes}

/* A ring between one writer and one reader: driver/uart/ring.h. */
struct uart_ring {
    uint8_t volatile in;  /* bytes ever put, modulo 256; the writer's */
    uint8_t volatile out; /* bytes ever taken, modulo 256; the reader's */
    uint8_t mask;         /* its size less 1; constant */
    uint8_t volatile *byte;
};

enum uart_parity {
    UART_NO_PARITY,
    UART_EVEN_PARITY,
    UART_ODD_PARITY,
};

/* How often reception has failed since start-up; each count stops at its largest value. */
struct uart_errors {
    uint16_t overrun; /* a byte came, and there was no room: in the ring, or in the port */
    uint16_t framing; /* a stop bit was missing; the byte was dropped */
    uint16_t parity;  /* a parity bit was wrong; the byte was dropped */
};

/* Opens the port, or changes its rate and parity. Received bytes are kept; bytes being sent are
 * corrupted.
 * baud      200 to 500,000 on the SAM R21, 300 to 460,800 on the ATmega128
 * returns   0, or ERR_INVALID if it cannot make the rate: the ATmega128 within 2 %
 * context   event, thread
 * blocks    no
 */
MUST_CHECK int uart_open(uint32_t baud, enum uart_parity parity);

/* Sends bytes. Returns when the last one is in the ring; threads take turns.
 * deadline  microseconds of the system clock, or TIME_NEVER
 * returns   0; ERR_TIMEOUT: some bytes have not been taken over; ERR_EMPTY: the port is not open
 * context   thread
 * blocks    yes, while others write or the ring is full
 */
MUST_CHECK int uart_write(const void *bytes, size_t length, uint64_t deadline);

/* Reads what has been received, at least one byte.
 * size      of `bytes`
 * length    how many bytes were read; 0 after an error
 * returns   0; ERR_TIMEOUT: nothing came; ERR_EMPTY: the port is not open
 *           ERR_IO: since the last reading a byte was lost or damaged: uart_errors says why; the
 *           next call reads what has been received
 * context   thread
 * blocks    yes, while there is nothing
 */
MUST_CHECK int uart_read(void *bytes, size_t size, size_t *length, uint64_t deadline);

/* Reads the counts of errors.
 * context   event, thread
 * blocks    no
 */
void uart_errors(struct uart_errors *errors);

#endif
