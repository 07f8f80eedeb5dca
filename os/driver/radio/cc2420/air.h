/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Times of frames on the air. */
#ifndef CC2420_AIR_H
#define CC2420_AIR_H

#include <stdint.h>

enum {
    FCS_BYTES = 2,
    ACK_BYTES = 5, /* of an acknowledgment, with its FCS */
    SYMBOL_US = 16,
    BYTE_US = 32,
    HEADER_BYTES = 5,    /* preamble and SFD */
    TURNAROUND_US = 192, /* from the order to send to the first symbol */
};

/* How long the SFD pin is active: from the end of the SFD to the end of a frame. */
static inline uint16_t sfd_us(uint8_t psdu)
{
    return (uint16_t)((psdu + 1u) * BYTE_US);
}

#endif
