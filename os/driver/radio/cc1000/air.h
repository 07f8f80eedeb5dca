/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What is on the air: a preamble, the synchronization word 0x33 0xcc, the frame, its checksum, and
 * some bytes for the transmitter's and the receiver's sake. */
#ifndef CC1000_AIR_H
#define CC1000_AIR_H

#include <stdint.h>

enum {
    PREAMBLE = 0xaa,
    PREAMBLE_SHIFTED = 0x55, /* by an odd number of bits */
    PREAMBLE_BYTES = 6,
    SYNC_FIRST = 0x33,
    SYNC_LAST = 0xcc,

    ACK_BEFORE = 0xab, /* an acknowledgment: it has no frame */
    ACK_FIRST = 0xba,
    ACK_LAST = 0x83,

    BROADCAST = 0xffff, /* a frame begins with its destination, the most significant byte first */
    HEADER_BYTES = 7,
    GROUP_AT = 5,
    LENGTH_AT = 4, /* in the header: how many bytes follow it, without the checksum */
    CRC_BYTES = 2,
    FRAME_BYTES_MAX = 127, /* with its checksum */
    PAYLOAD_MAX = FRAME_BYTES_MAX - HEADER_BYTES - CRC_BYTES,
    FLUSH_BYTES = 3, /* behind it: the last byte is on the air when two more were handed over */
};

/* Length of a byte in microseconds, rounded. */
static inline uint16_t air_byte_us(uint8_t rate)
{
    return rate == 0 ? 417 : 208;
}

#endif
