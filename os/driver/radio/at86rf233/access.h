/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Accesses to the AT86RF233.
 *
 * Registers are accessed at once, at the kernel level: 4 us on the bus each. The bytes of a frame
 * are moved by DMA to or from the packet, and at86rf233_step is posted when that has ended; until
 * then there is no other access.
 */
#ifndef AT86RF233_ACCESS_H
#define AT86RF233_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/packet.h>

/* What follows a received frame in the frame buffer. */
struct access_end {
    uint8_t fcs[2];
    uint8_t lqi;
    uint8_t ed;
    uint8_t rx_status;
};

/* Opens the bus, and the pins. */
void at86rf233_access_open(void);

/* A register's value. */
uint8_t at86rf233_access_read(uint8_t address);
void at86rf233_access_write(uint8_t address, uint8_t value);

/* TRX_STATUS at the beginning of the last access. */
uint8_t at86rf233_access_status(void);

/* Begins to read the frame in the frame buffer. One of the next two follows.
 * returns   its length, with its FCS
 */
uint8_t at86rf233_access_read_length(void);

/* Reads the packet's length of bytes into the packet. Then at86rf233_access_read_end follows. */
void at86rf233_access_read_packet(packet_t packet);

/* Reads no more: the frame buffer is free again. */
void at86rf233_access_read_no_more(void);

/* Reads what follows the frame, when the packet has been read. The frame buffer is free again. */
const struct access_end *at86rf233_access_read_end(void);

/* Writes a packet to the frame buffer, as a frame that has room for the FCS. */
void at86rf233_access_write_packet(packet_t packet);

/* Whether bytes are being moved. */
bool at86rf233_access_is_active(void);

/* Whether the bus has failed since this was asked. */
bool at86rf233_access_has_failed(void);

/* Ends it early: its event is not posted, but may be pending. */
void at86rf233_access_stop(void);

#endif
