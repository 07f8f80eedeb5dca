/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The link of a radio of bytes, the CC1000: what its files share.
 *
 *     open.c       settings, the own address, when the radio listens
 *     am.c, begin.c   messages that are sent, of threads and of events
 *     send.c       transfers: the list, their begin and end, cancelling
 *     access.c     the transfer that is being sent: its frame, backoffs, attempts
 *     receive.c    a frame that has come: whose it is, whether it is acknowledged
 *     dispatch.c   the receiver of a frame, and what takes it out of the receiver's queue
 *     frames.c     the memory of frames, of which there are as many as LINK_FRAMES says
 *     packets.c    link_send and link_receive, for programs whose payloads are packets
 *     child.c, poll.c   packets that wait for a sleepy child, and the child's part
 *     losses.c     counters
 *
 * There is no thread: all runs at the kernel level, called by the driver (cc1000_user_* in its
 * frames.h) and by system calls. A frame is in one place from the air to its receiver's queue, and
 * what a thread sends leaves from the thread's memory.
 *
 * Frames are those of TinyOS: destination 2, source 2, length, group, type, payload; numbers have
 * the most significant byte first. Two types are the link's own: for packets that are no messages
 * of other types, and for requests for data.
 */
#ifndef NET_BYTE_LINK_BYTE_LINK_H
#define NET_BYTE_LINK_BYTE_LINK_H

#include <lichen/am.h>

#include "driver/radio/cc1000/frames.h"
#include "net/am/dispatch.h"

CC1000_USER(byte_link);

/* byte_link_received of a program that receives nothing: the driver has no memory for a frame. */
bool byte_link_received_none(uint8_t *frame);

enum {
    SOURCE_AT = 2,
    TYPE_AT = 6,
    TYPE_PACKET = 0xfe, /* and above: the link's own */
    TYPE_REQUEST = 0xff,
};

/* -------- state: written at the kernel level */

struct byte_link_state {
    uint16_t own;
    uint8_t group;
    bool is_open;
    uint8_t listeners;             /* of enum byte_link_listener; 0: the radio sleeps */
    struct link_transfer *to_send; /* in the order in which they are sent */
    struct link_transfer *current; /* the one that `cc1000_frame` is made of; 0: none */
    bool is_on_air;                /* that one; its acknowledgment is part of that */
    volatile uint8_t receiving;    /* the frame that the driver has; 0: none was free */
};
extern struct byte_link_state byte_link_state;

/* What the radio listens for. */
enum byte_link_listener {
    LISTENS_ALWAYS = 1 << 0, /* the settings do not let it sleep */
    LISTENS_ANSWER = 1 << 1, /* the parent's, to a request for data */
    LISTENS_AWAKE = 1 << 2,  /* link_stay_awake */
};

/* Makes the radio listen for something, or not any more. */
void byte_link_listen(uint8_t listener, bool listens);

/* -------- frames */

/* Takes a free one.
 * leaves    how many others must be free
 * returns   its number, from 1 on; 0: there is none
 */
uint8_t byte_link_take_frame(uint8_t leaves);

/* Gives it back; any context. */
void byte_link_free_frame(uint8_t number);

/* Its header. The byte in front of it is the strength of the signal. */
uint8_t *byte_link_frame(uint8_t number);

/* Gives the driver one, unless it has one. Not there in a program that receives nothing. */
void byte_link_refill(void);

/* What is in a frame. */
struct byte_link_content {
    const uint8_t *bytes;
    uint8_t length;
    uint8_t type;
};

/* Reads it. Returns whether it is a message; then without the bytes in front of one. */
bool byte_link_read(const uint8_t *frame, struct byte_link_content *content);

/* Two bytes of it, as a number. */
static inline uint16_t byte_link_u16(const uint8_t *bytes)
{
    return (uint16_t)((uint16_t)bytes[0] << 8 | bytes[1]);
}

/* Who has sent it; LINK_ALL: nobody who could be answered. */
uint16_t byte_link_source(const uint8_t *frame);

/* -------- transfers */

enum byte_link_kind {
    KIND_PACKET = 0,
    KIND_MESSAGE = 1, /* of a thread that waits: a struct byte_link_message */
    KIND_FRAME = 2,   /* `packet` is the number of a frame */
    KIND_REQUEST = 3, /* for data */
    KIND_NOTHING = 4, /* an empty packet: nothing waits */
};

/* A thread's, which waits for its end. */
struct byte_link_call {
    struct syscall syscall;
    struct link_transfer transfer;
};
struct byte_link_message {
    struct byte_link_call call;
    struct byte_link_content content;
};

/* Whether content of such a length can be sent. */
static inline bool byte_link_fits(uint8_t type, uint8_t length)
{
    return length + (type >= TYPE_PACKET ? AM_HEADER_BYTES : 0) <= link_frame_payload;
}

/* Begins a transfer, whose kind, destination and flags are there. */
int byte_link_begin(struct link_transfer *transfer);

/* Fills in a thread's call, and waits until its transfer has ended. */
int byte_link_run(struct byte_link_call *call, uint16_t destination, uint8_t kind);
int byte_link_run_until(struct byte_link_call *call, uint16_t destination, uint8_t kind,
                        uint64_t deadline);

/* Ends it: what it holds is free, and its caller is told. */
void byte_link_end(struct link_transfer *transfer, uint8_t result);

/* Puts it in front of all others: it is for a child that listens. */
void byte_link_send_first(struct link_transfer *transfer);

void byte_link_append(struct link_transfer **list, struct link_transfer *transfer);

/* -------- losses */

enum byte_link_lost {
    LOST_NONE = 0,
    LOST_KIND,          /* a request for data, to a mote that has no children */
    LOST_EMPTY,         /* it says that nothing waits for this mote */
    LOST_NO_RECEIVER,   /* nobody takes such frames */
    LOST_RECEIVER_FULL, /* the receiver's queue was full */
    LOST_NO_PACKET,     /* no packet could be allocated for what link_receive takes */
    LOST_NOT_ASKED_FOR, /* of a packet for a child, which has not asked for it */
    LOST_NOT_SENT,      /* of a packet that the parent may have */
    LOST_CHANNEL,
    LOST_NO_ACK,
    LOST_RADIO, /* the radio has failed while it sent */
    LOST_BY_LINK,
    BYTE_LINK_REASONS = LOST_BY_LINK + CC1000_LOSSES, /* with those of the radio */
};
extern uint16_t byte_link_losses[BYTE_LINK_REASONS];

/* Counts a loss.
 * index     enum byte_link_lost, or LOST_BY_LINK and an enum cc1000_loss
 */
void byte_link_lose(uint8_t index);

/* Counts up to the largest value. */
void byte_link_count(uint16_t *counter);

extern struct link_counters byte_link_counters;

/* -------- what a program may lack: receivers, packets, children, polling */

/* Gives a frame to its receiver. Returns why it is lost. */
uint8_t byte_link_deliver(const uint8_t *frame, uint8_t number);
uint8_t byte_link_deliver_declared(const uint8_t *frame, uint8_t number);
uint8_t byte_link_deliver_of_programs(const uint8_t *frame, uint8_t number);

/* Copies a received frame into a packet, and frees the frame.
 * returns   0, or ERR_FULL
 */
int byte_link_to_packet(const struct link_receiver *receiver, uint8_t number,
                        struct link_info *info, packet_t *packet);
int byte_link_to_packet_declared(const struct link_receiver *receiver, uint8_t number,
                                 struct link_info *info, packet_t *packet);
int byte_link_to_packet_of_programs(const struct link_receiver *receiver, uint8_t number,
                                    struct link_info *info, packet_t *packet);

/* What a packet says; how it is freed. */
void byte_link_packet_read(packet_t packet, struct byte_link_content *content);
void byte_link_packet_free(packet_t packet);

/* Lets a transfer wait, if it is for a child that did not ask for it. */
bool byte_link_child_waits(struct link_transfer *transfer);

/* A child asks. */
void byte_link_child_asks(uint16_t child);

/* Takes a transfer out of those that wait for children. */
bool byte_link_child_withdraws(struct link_transfer *transfer);

/* The child has not acknowledged it. Returns whether it waits again. */
bool byte_link_child_retries(struct link_transfer *transfer);

/* A frame has come. */
void byte_link_polled(uint16_t source, const uint8_t *frame);

#endif
