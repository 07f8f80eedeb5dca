/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Times of frames on the air. */
#ifndef AT86RF233_AIR_H
#define AT86RF233_AIR_H

#include <stdint.h>

enum {
    FCS_BYTES = 2,
    ACK_BYTES = 5,      /* of an acknowledgment, with its FCS */
    BYTE_US = 32,       /* at 250 kbit/s; each next rate is twice as fast */
    HEADER_BYTES = 6,   /* preamble, SFD and length, always at 250 kbit/s */
    LATENCY_US = 9,     /* of an interrupt request while receiving (tIRQ) */
    ACK_AFTER_US = 192, /* from the end of a frame to its acknowledgment */
    ACK_WAIT_US = 864,  /* from the end of a frame until TX_ARET waits no longer */
};

/* From the end of the SFD of a frame to its end, in microseconds.
 * bytes     after its length
 * rate      as in struct radio_settings
 */
static inline uint16_t air_us(uint8_t bytes, uint8_t rate)
{
    return (uint16_t)(BYTE_US + ((unsigned)bytes * BYTE_US >> rate));
}

#endif
