/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Access to the channel: the layer between the link, which makes frames and checks them, and the
 * radio, which sends them. The system's is the standard's unslotted CSMA-CA with retries. A program
 * exchanges it by defining link_access, link_access_give_up and link_acknowledged, all three; then
 * the system's is not linked. doc/guide/17-exchanging-a-layer.md writes one.
 *
 * One frame is on its way at a time. All of this runs in events and may not wait.
 *
 *     link_access ... radio_send ... [link_acknowledged] ... link_access_ended
 *
 * Not on mica2, whose link of bytes has an access of its own.
 */
#ifndef LICHEN_LINK_ACCESS_H
#define LICHEN_LINK_ACCESS_H

#include <lichen/link.h>

/* A frame, from link_access to link_access_ended. */
struct link_sending {
    struct link_transfer *transfer; /* the link's */
    struct link_address destination;
    packet_t packet; /* for radio_send */
    uint8_t kind;
    bool wants_ack;
    bool is_polled;   /* the child that it is for is awake: no backoff before the first look */
    bool more;        /* more waits for that child */
    bool is_frame;    /* the packet has been made a frame before, with the number in `sequence` */
    uint8_t sequence; /* of the frame: its acknowledgment has the same */
    uint8_t result;
    /* Written by the access. */
    uint8_t sent; /* how often it was on the air */
    bool pending; /* its acknowledgment says that the receiver has something for this mote */
};

/* Sends a frame, until it is acknowledged if it asks for that; then calls link_access_ended,
 * perhaps at once.
 * context   event
 * blocks    no
 * owns      `sending` and its packet are the callee's until then
 */
void link_access(struct link_sending *sending);

/* Nobody waits for the frame any more. Ends it at once, by link_access_ended with ERR_CANCELLED,
 * unless the radio has it: then it is not sent again.
 * context   event
 * blocks    no
 */
void link_access_give_up(void);

/* An acknowledgment came right behind a frame of this mote that asked for one. Called only if the
 * radio does not await acknowledgments by itself (RADIO_CAN_RETRY). It may be meant for another
 * mote: only one with the sequence number of the frame counts.
 * context   event
 * blocks    no
 */
void link_acknowledged(uint8_t sequence, bool pending);

/* The frame has ended. The system's, not to be defined.
 * error     0, ERR_CHANNEL, ERR_NO_ACK, ERR_IO or ERR_CANCELLED
 * context   event
 * blocks    no
 */
void link_access_ended(struct link_sending *sending, int error);

#endif
