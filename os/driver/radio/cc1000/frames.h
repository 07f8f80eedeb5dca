/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The CC1000's frames: what its driver does for the layer above it, and what it asks of that layer.
 *
 * The layer is the byte link (os/net/byte_link) or, in a program that uses lichen/radio.h itself,
 * packets.c: the one that is linked defines the functions cc1000_user_* (os/features.cmake). All of
 * it happens at the kernel level.
 *
 * A frame is that of TinyOS's active messages: a header of 7 bytes, whose fifth one is the number
 * of bytes behind the header, and a checksum, which the driver adds and checks. It is copied
 * nowhere: the interrupt of a byte takes what is sent from the user's memory, and puts what is
 * received there.
 */
#ifndef CC1000_FRAMES_H
#define CC1000_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/packet.h>

#include "driver/radio/cc1000/air.h"

/* -------- what the user sets, and then calls cc1000_driver_serve */

struct cc1000_settings {
    uint8_t channel; /* 1 to 3; what follows is in force when `is_changed` has been seen */
    uint8_t rate;    /* 0: 19.2 kbit/s, 1: 38.4 */
    int8_t dbm;
    bool is_changed;
    bool listens; /* the receiver is on while nothing is sent */
};
extern struct cc1000_settings cc1000_settings;

/* How a frame is sent. */
enum cc1000_frame_flag {
    CC1000_BACKS_OFF = 1 << 0, /* waits as cc1000_user_waits says, then looks at the channel */
    CC1000_LOOKS = 1 << 1,     /* looks at the channel at once */
    CC1000_AWAITS = 1 << 2,    /* awaits an acknowledgment */
    CC1000_MEASURES = 1 << 3,  /* there is no frame: looks at the channel, once */
};

/* What is sent next; written by cc1000_user_next. The bytes stay as they are until it has ended or
 * was cut off. */
struct cc1000_frame {
    const uint8_t *head; /* the header, and perhaps the payload's first bytes */
    const uint8_t *payload;
    uint8_t head_length;
    uint8_t payload_length;
    uint8_t flags; /* enum cc1000_frame_flag */
};
extern struct cc1000_frame cc1000_frame;

/* Something is to be sent, or the settings have changed. */
void cc1000_driver_serve(void);

/* Where the next frame goes that is received: its header, payload and checksum. To be called at
 * first, and after cc1000_user_received; until then no frame is received.
 * into      room for a frame; the driver's until cc1000_user_received
 * payload   how many bytes of payload it has room for
 */
void cc1000_receive_into(uint8_t *into, uint8_t payload);

/* The bytes of the frame that is being sent will change: if it is on the air, the rest of it is not
 * sent, and nobody receives it. cc1000_user_sent is not called for it any more.
 */
void cc1000_transmit_cut(void);

/* The strength of the frame that was received last, or of the channel that was measured. */
int8_t cc1000_channel_dbm(void);
bool cc1000_channel_is_clear(void);

/* -------- what the driver calls */

/* Fills `cc1000_frame` in, if there is something to be sent. Called again without an end between,
 * it is the same frame.
 */
bool cc1000_user_next(void);

/* How many bytes to wait before the channel is looked at, 1 to 255; 0: it is looked at now.
 * begins    a backoff begins; else one goes on that this has returned a part of
 */
uint8_t cc1000_user_waits(bool begins);

/* The channel is clear. Returns false: the frame is not to be sent any more.
 */
bool cc1000_user_goes(void);

/* The frame has been on the air.
 */
void cc1000_user_left(void);

/* The attempt has ended: 0, ERR_CHANNEL, ERR_NO_ACK; ERR_IO, ERR_TIMEOUT: the radio failed, or a
 * byte was late. Returns whether the same frame is sent again.
 */
bool cc1000_user_sent(uint8_t result);

/* A whole frame has come, where cc1000_receive_into has said. Returns whether it is acknowledged.
 */
bool cc1000_user_received(uint8_t *frame);

enum cc1000_loss {
    CC1000_CORRUPTED,  /* received with a wrong checksum */
    CC1000_TOO_LONG,   /* the header tells more than there is room for */
    CC1000_OVERFLOWED, /* there was no memory for the frame when it began */
    CC1000_UNDERRUN,   /* a byte was sent too late */
    CC1000_RESTARTS,   /* the part failed */
    CC1000_LOSSES,
};

/* Something was lost.
 * loss      enum cc1000_loss
 */
void cc1000_user_note(uint8_t loss);

/* Declares them by the names that one user gives them. */
#define CC1000_USER(name)                                                                          \
    bool name##_next(void);                                                                        \
    uint8_t name##_waits(bool begins);                                                             \
    bool name##_goes(void);                                                                        \
    void name##_left(void);                                                                        \
    bool name##_sent(uint8_t result);                                                              \
    bool name##_received(uint8_t *frame);                                                          \
    void name##_note(uint8_t loss)

/* Notes that a packet's frame began so long ago. In times.c, which may be absent. */
void cc1000_times_note(packet_t packet, uint32_t earlier_us);

#pragma weak cc1000_times_note

#endif
