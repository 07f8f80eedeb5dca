/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Accesses to the CC2420. All are made at once, at the kernel level: 2.2 us on the bus for each
 * byte, so that long frames are moved piece by piece, with other events between them. The FIFO
 * stays selected meanwhile, and no other access comes between. */
#ifndef CC2420_ACCESS_H
#define CC2420_ACCESS_H

#include <stdint.h>

/* Opens the bus, and the pins; the regulator is off. */
void cc2420_open(void);

/* Gives a command. Returns the status byte of the moment before. */
uint8_t cc2420_strobe(uint8_t strobe);

/* A register's value. */
uint16_t cc2420_read(uint8_t address);
void cc2420_write(uint8_t address, uint16_t value);

/* Writes to the RAM. */
void cc2420_write_ram(uint16_t address, const uint8_t *bytes, uint8_t length);
uint8_t cc2420_read_ram(uint16_t address);

/* Begins to read the RXFIFO or to write the TXFIFO, and ends it. Returns its first byte, which is
 * the length of the frame. */
uint8_t cc2420_begin_read(void);
void cc2420_begin_write(uint8_t length);
void cc2420_end(void);

/* Moves bytes meanwhile. bytes may be 0: they are left out. */
void cc2420_move_in(uint8_t *bytes, uint8_t length);
void cc2420_move_out(const uint8_t *bytes, uint8_t length);

#endif
