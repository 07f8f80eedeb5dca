/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The bytes between the CC1000 and memory: what its interrupt does, once each 417 or 208 us.
 *
 * The interrupt moves a byte to or from memory, adds it to the frame's checksum, or looks for the
 * beginning of a frame, and counts. Everything else is up to the driver's event, which it posts at
 * the end of what it was told. Where a frame begins in memory is known before: cc1000_receive_into
 * and cc1000_bytes_send.
 */
#ifndef CC1000_BYTES_H
#define CC1000_BYTES_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/radio/cc1000/frames.h"

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
    BYTES_ACKED,  /* an acknowledgment has come */
    BYTES_SENT,   /* all has been handed over */
    BYTES_NEWS,   /* one of those below, too */
    BYTES_OF_RECEPTION,
    BYTES_HEAD = BYTES_OF_RECEPTION, /* a frame's header has come, as far as its length */
    BYTES_FRAME,                     /* the frame is complete */
    BYTES_WRONG,                     /* a header tells a length for which there is no room */
    BYTES_MISSED,                    /* a frame began while there was no memory for it */
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

/* The frame of which BYTES_FRAME tells; 0: its checksum is wrong, and its memory is for the next
 * one. Else there is no memory until cc1000_receive_into. */
uint8_t *cc1000_bytes_take_frame(void);

/* Sends a preamble, the synchronization word, `cc1000_frame` and its checksum. */
void cc1000_bytes_send(void);

/* Whether not all of it was sent as it is, since more urgent interrupts took too long. */
bool cc1000_bytes_were_late(void);

/* Sends an acknowledgment. */
void cc1000_bytes_acknowledge(void);

#endif
