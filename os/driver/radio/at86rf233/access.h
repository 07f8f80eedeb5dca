/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Accesses to the AT86RF233.
 *
 * Registers are accessed at once, at the kernel level: 4 us on the bus each. The bytes of a frame
 * are moved by one DMA to or from the packet, and at86rf233_step is posted when that has ended;
 * until then there is no other access.
 */
#ifndef AT86RF233_ACCESS_H
#define AT86RF233_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    ACCESS_END_BYTES = 3, /* what follows a received frame: LQI, ED and RX_STATUS */
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

/* Reads so many bytes of it, and of what follows it. Then the frame buffer is free again. */
void at86rf233_access_read_bytes(uint8_t *bytes, uint8_t length);

/* Reads no more: the frame buffer is free again. */
void at86rf233_access_read_no_more(void);

/* Writes a frame of so many bytes to the frame buffer, which also has room for its FCS. */
void at86rf233_access_write_bytes(const uint8_t *bytes, uint8_t length);

/* Whether bytes are being moved. */
bool at86rf233_access_is_active(void);

/* Whether the bus has failed since this was asked. */
bool at86rf233_access_has_failed(void);

/* Ends it early: its event is not posted, but may be pending. */
void at86rf233_access_stop(void);

#endif
