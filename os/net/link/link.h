/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the files of the link share.
 *
 *     send.c         transfers: begun, waited for, cancelled
 *     transmit.c     net-tx: takes a transfer, and sends its frame
 *     access.c       when: the clear channel, the acknowledgment, the retries
 *     received.c     the event level: from the radio to net-main, and acknowledgments by software
 *     incoming.c     net-main: checks a frame, and finds its receiver
 *     child.c, poll.c   packets that wait for a sleepy child, and the child's part
 *     neighbour.c    who is in reach
 *     messages.c     to net-main, and the threads' loops
 *     format.h       what a frame looks like on the air: the seam to other kinds of radio, of which
 *                    a board has one: ieee802154.c or tinyos.c
 *
 * Lists of transfers are changed at the kernel level only. What else two levels share says so.
 */
#ifndef NET_LINK_LINK_H
#define NET_LINK_LINK_H

#include <lichen/link.h>
#include <lichen/notify.h>
#include <lichen/radio.h>

/* -------- state */

struct link_state {
    /* Written by link_open. */
    struct link_settings settings; /* with nothing left to defaults */
    uint8_t extended[LINK_EXTENDED_BYTES];
    volatile bool is_open;
    /* Written at the kernel level. */
    struct link_transfer *to_send; /* in the order in which they are sent */
    struct link_transfer *for_children;
    struct link_transfer *current; /* the one that net-tx sends; 0: none, or it was given up */
    bool says_pending;             /* the radio's acknowledgments say that something waits */
    uint8_t listeners;             /* of enum link_listener; 0: the radio sleeps */
};

/* What the radio listens for. */
enum link_listener {
    LINK_LISTENS_ALWAYS = 1 << 0, /* the settings do not let it sleep */
    LINK_LISTENS_ANSWER = 1 << 1, /* the parent's, to a request for data */
    LINK_LISTENS_ACK = 1 << 2,    /* where the radio does not wait for it */
};

extern struct link_state link_state;

/* Gives the radio its settings, at the beginning and when what acknowledgments say has changed.
 * returns   as radio_set
 * context   event, thread
 */
int link_tune(void);

/* Makes the radio listen for something, or not any more.
 * context   event
 */
void link_listen(uint8_t listener, bool listens);

/* What this mote's radio cannot do by itself. */
static inline bool link_radio_can(unsigned capability)
{
    return (radio_facts.capabilities & capability) != 0;
}

/* Whether an acknowledgment of a request for data tells if there is some: this mote's do, and those
 * that it gets from motes with the same radio. */
static inline bool link_acks_tell(void)
{
    return link_radio_can(RADIO_CAN_ANNOUNCE) || !link_radio_can(RADIO_CAN_ACKNOWLEDGE);
}

/* -------- reasons for losses, all in one row of counters */

enum link_lost {
    LOST_NONE = 0,
    LOST_NOT_MINE,      /* sent to others, if the radio does not filter */
    LOST_DUPLICATE,     /* sent again, because the acknowledgment was lost */
    LOST_UNSECURED,     /* though security is on */
    LOST_SECURED,       /* though it is off */
    LOST_KIND,          /* neither data nor a request for data */
    LOST_EMPTY,         /* it says that nothing waits for this mote */
    LOST_NO_RECEIVER,   /* nobody takes such packets */
    LOST_RECEIVER_FULL, /* the receiver's queue was full */
    LOST_NO_BLOCK,      /* of memory, to make a packet a frame */
    LOST_NOT_ASKED_FOR, /* of a packet for a child, which has not asked for it */
    LOST_CHILD_NO_ACK,  /* of one for which it has asked, and has not acknowledged it */
    LOST_NOT_SENT,      /* of a packet that the parent has announced */
    LOST_CHANNEL,
    LOST_NO_ACK,
    LOST_RADIO, /* the radio has failed */
    LOST_BY_LINK,
};

/* Counts a loss. Most reasons are counted by one thread or at one level; of those that both threads
 * count, refusals of keys and of lengths, a count may be missing.
 * index     enum link_lost, or LOST_BY_LINK and a reason of the format
 * context   event, thread
 */
void link_lose(uint8_t index);
extern uint16_t link_losses[];

/* Counts up to the largest value. */
static inline void link_add(uint16_t *counter)
{
    *counter = (uint16_t)(*counter + (*counter != UINT16_MAX));
}

extern struct link_counters link_counters;

/* -------- net-tx */

enum link_kind {
    LINK_DATA = 0,
    LINK_DATA_REQUEST = 1,
};

/* The packet that net-tx sends: a copy, since its transfer may be given up. */
struct link_sending {
    struct link_address destination;
    packet_t packet;
    uint8_t kind;
    bool wants_ack;
    bool is_polled; /* the child that it is for is awake */
    bool more;      /* more waits for that child */
    bool is_frame;  /* the packet has been made a frame before, with the number in `sequence` */
    uint8_t sequence;
    uint8_t result;
    uint8_t sent;
    bool pending; /* the receiver has something for this mote */
};

/* Set when net-tx should look again: something is to be sent, the radio has sent, a delay is over,
 * an acknowledgment has come. Each of these stays in its own place until net-tx takes it. */
extern struct notify link_wake_tx;

/* Sends what is to be sent, until nothing is left.
 * context   thread (net-tx)
 */
void link_transmit(void);

/* Sends a frame when the channel is clear, until it is acknowledged.
 * returns   0, ERR_CHANNEL, ERR_NO_ACK, or ERR_IO
 * context   thread (net-tx)
 */
int link_access(struct link_sending *sending);

/* Tells net-tx of an acknowledgment, where the radio does not wait for it.
 * context   event
 */
void link_acknowledged(uint8_t sequence, bool pending);

/* -------- lists of transfers: context event */

void link_append(struct link_transfer **list, struct link_transfer *transfer);
int link_begin_here(struct link_transfer *transfer);
void link_end(struct link_transfer *transfer, int result);

/* Asks net-tx to look. */
void link_request(void);

/* -------- messages to net-main, or to the only thread */

enum link_message_kind {
    LINK_PACKET = 0,
    LINK_TIMER = 1,
    LINK_REQUEST = 2, /* to the only thread */
};

struct link_message {
    uint8_t kind;
    packet_t packet;
};

/* How many received packets may wait for net-main, besides those that the driver keeps. */
enum { LINK_PACKETS = 3 };

/* Whether there is a place for another packet.
 * context   event
 */
bool link_has_place(void);

/* Sends a message. Each kind has its own places, so there is room; a timer or a request that is in
 * the queue already stands for this one, too.
 * packet    if it is a LINK_PACKET, for which there is a place
 * context   event
 */
void link_tell(uint8_t kind, packet_t packet);

/* -------- net-main */

/* Checks a frame, and gives its packet to a receiver.
 * context   thread (net-main)
 */
void link_incoming(packet_t packet);

/* -------- children: context event. Not there in a program that does not call link_child */

/* Answers a request for data, as soon as no other answer for that child is under way.
 * context   event, thread
 */
struct link_frame;
void link_child_asks(const struct link_frame *frame);

/* An answer has been sent, or not, by the reason `lost`: then its frame waits for another request.
 * transfer  0: it was given up
 * returns   whether the transfer ends, with `sending->result`
 */
bool link_answered(struct link_transfer *transfer, struct link_sending *sending, uint8_t lost);

/* Lets a transfer wait for its child. */
void link_wait_for_child(struct link_transfer *transfer);

/* Whether a packet waits for this child, besides one that is being sent to it; and whether there is
 * any. */
bool link_waits(const struct link_address *child);
bool link_has_for(const struct link_address *child);

/* What waits, or is being answered, has become less. */
void link_answer_next(void);

/* -------- polling. Not there in a program that does not call link_poll */

/* A genuine frame has come, perhaps from the parent.
 * returns   whether it is an answer that this mote has already: from request to request it keeps
 *           its number
 * context   thread (net-main)
 */
bool link_polled(const struct link_frame *frame);

/* The time of the link's timer has come.
 * context   thread (net-main)
 */
void link_poll_timer(void);

/* -------- neighbours: context thread */

/* Notes a frame that was received.
 * returns   false: it is a duplicate of the last one
 */
bool link_heard(const struct link_frame *frame, packet_t packet);

/* Notes a transfer's end. */
void link_tried(const struct link_address *destination, uint8_t sent, bool acknowledged);

bool link_is_child(const struct link_address *address);

/* Makes it a child, or no child any more.
 * returns   false: it has no place
 */
bool link_set_child(const struct link_address *address, bool is_child);

#endif
