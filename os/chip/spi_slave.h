/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The SPI bus as its slave, for a part that is the master: a radio that clocks out what it receives
 * and clocks in what it sends, without a pause.
 *
 * A byte goes in both directions at once. Between the last bit of one and the first bit of the next
 * there is little time, so the entry of the interrupt itself hands `spi_slave_out` over, before
 * interrupts are enabled again. The handler, at the drivers' level, has the length of a byte to
 * take what has come in, and to set `spi_slave_out`: that is on the wire one byte later.
 *
 * Sleep: while the slave is open the driver must keep the chip out of modes deeper than
 * CHIP_SLEEP_MOVING.
 */
#ifndef CHIP_SPI_SLAVE_H
#define CHIP_SPI_SLAVE_H

#include <stdbool.h>
#include <stdint.h>

/* What is sent after the present byte. Written by the handler, and by others while they know that
 * it does not. */
extern volatile uint8_t spi_slave_out;

/* The byte that has come in.
 * context   the handler
 */
uint8_t spi_slave_in(void);

/* Whether a byte was not handed over in time, since handlers of a more urgent level have held it
 * up: another one was sent. Told once, by the next byte. To be asked before spi_slave_in. context
 * the handler
 */
bool spi_slave_was_late(void);

/* Starts to move bytes, and to interrupt. The slave receives only.
 * context   event
 */
void spi_slave_open(void);

/* Stops. A handler that was deferred may still come.
 * context   event
 */
void spi_slave_close(void);

/* Whether the slave drives its output.
 * context   event
 */
void spi_slave_drive(bool drives);

#endif
