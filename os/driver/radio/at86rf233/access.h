/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Accesses to the AT86RF233: registers one after the other, and then perhaps a frame, by a chain of
 * transfers on SPI. The driver is told when all have ended.
 *
 *     access_begin();
 *     uint8_t status = access_read(TRX_STATUS);
 *     access_write(TRX_STATE, RX_ON);
 *     access_start();
 *     ... the event ... access_take_result(), access_value(status) ...
 *
 * While one is under way, the interrupts of the bus own all that is here. Before and after, the
 * kernel level does.
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
void access_open(void);

/* Describes another access, from its beginning. None is under way. */
void access_begin(void);

/* Adds the access to a register.
 * returns   index of the value that is read
 */
uint8_t access_read(uint8_t address);
void access_write(uint8_t address, uint8_t value);

/* Adds the frame: the packet is written to the frame buffer, as a frame with room for the FCS. */
void access_write_frame(packet_t packet);

/* Adds the frame in the frame buffer, if the register that was read first, IRQ_STATUS, says that
 * one was received. Its beginning is read into the packet as far as that reaches; the rest of the
 * packet is left as it is. PACKET_NONE: only the length is read, and the buffer is free again. */
void access_read_frame(packet_t packet);

/* Starts what was described. The driver's event is posted when it has ended. */
void access_start(void);

/* Ends it early: its event is not posted, but may be pending. */
void access_stop(void);

/* Whether it is under way. */
bool access_is_active(void);

/* 0, or ERR_IO: the bus has failed. Tells it once. */
uint8_t access_take_result(void);

/* What was read. */
uint8_t access_value(uint8_t index);

/* TRX_STATUS at the beginning of the access to the frame buffer. */
uint8_t access_frame_status(void);

/* Length of the frame that was read, with its FCS; 0 if there was none. */
uint8_t access_frame_length(void);
const struct access_end *access_frame_end(void);

#endif
