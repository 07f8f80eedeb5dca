/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The bytes between the CC1000 and memory: what its interrupt does, once each 417 or 208 us.
 *
 * The interrupt moves a byte to or from a piece of memory, or looks for the beginning of a frame,
 * and counts. Everything else is up to the driver's event, which it posts at the end of what it was
 * told. What is to be sent is known before; of what is received, the first LEAD_BYTES go to `lead`,
 * and the rest to a packet for which the event has the time in which those come.
 */
#ifndef CC1000_BYTES_H
#define CC1000_BYTES_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/packet.h>

#include "driver/radio/cc1000/air.h"

enum {
    LEAD_BYTES = 16,
};

enum cc1000_bytes_mode {
    BYTES_PASS, /* nothing but counting; what is sent is a preamble */
    BYTES_HUNT, /* waits for a preamble */
    BYTES_SYNC, /* ... and for the synchronization word behind it */
    BYTES_ASK,  /* waits for an acknowledgment */
    BYTES_TAKE, /* a frame arrives */
    BYTES_SEND, /* ... or leaves */
};

/* What has happened, and the event has not seen yet. */
enum bytes_happened {
    BYTES_WAITED, /* cc1000_bytes_wait is over */
    BYTES_HEAD,   /* the header of a frame is in `lead`: cc1000_bytes_frame_length */
    BYTES_FRAME,  /* the frame is complete */
    BYTES_LOST,   /* no packet was there for it in time */
    BYTES_WRONG,  /* a header tells an impossible length */
    BYTES_MISSED, /* another frame began while the one before was in `lead` */
    BYTES_ACKED,  /* an acknowledgment has come */
    BYTES_SENT,   /* all pieces have been handed over */
    BYTES_HAPPENINGS,
};

/* Begins to move bytes, or stops; nothing is sent or received. */
void cc1000_bytes_open(void);
void cc1000_bytes_close(void);

/* BYTES_WAITED after `count` bytes, instead of what it was before. 0: never. */
void cc1000_bytes_wait(uint8_t count);

/* What the interrupt does. */
enum cc1000_bytes_mode cc1000_bytes_mode(void);

/* Whether a frame arrives, or a preamble. */
bool cc1000_bytes_are_framed(void);

/* From now on it looks for frames, for an acknowledgment, or does nothing. */
void cc1000_bytes_hunt(void);
void cc1000_bytes_ask(void);
void cc1000_bytes_pass(void);

/* Whether the part takes what is sent. If not, it drives the wire itself. */
void cc1000_bytes_transmit(bool transmits);

/* Whether something has happened since it was last asked. */
bool cc1000_bytes_has_happened(enum bytes_happened what);

/* Whether bytes have been moved since it was last asked. */
bool cc1000_bytes_have_moved(void);

/* Of the frame of which BYTES_HEAD tells: its length with its checksum; and how many bytes of it
 * have come. */
uint8_t cc1000_bytes_frame_length(void);
uint8_t cc1000_bytes_frame_taken(void);

/* Its first bytes, LEAD_BYTES at most. */
const uint8_t *cc1000_bytes_lead(void);

/* Where the rest of it goes. */
void cc1000_bytes_take_to(packet_t packet);

/* The memory that was given is not written to any more, and `lead` may be filled again. Not in
 * BYTES_TAKE. */
void cc1000_bytes_release(void);

/* Sends a preamble, the synchronization word, a packet and its checksum. */
void cc1000_bytes_send(packet_t packet);

/* Whether not all of it was sent as it is, since more urgent interrupts took too long. */
bool cc1000_bytes_were_late(void);

/* Sends an acknowledgment. */
void cc1000_bytes_acknowledge(void);

/* The checksum of the first `length` bytes of a packet: CRC-CCITT, from 0, most significant bit
 * first. */
uint16_t cc1000_bytes_crc(packet_t packet, uint8_t length);

#endif
