/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the files of the link share.
 *
 *     send.c         transfers: begun, waited for, cancelled
 *     transmit.c     takes a transfer, makes its frame, and ends it
 *     access.c       when: the clear channel, the acknowledgment, the retries. A program may have
 *                    another one (lichen/link_access.h)
 *     received.c     from the radio to incoming.c, and acknowledgments by software
 *     incoming.c     checks a frame, and finds its receiver
 *     form_events.c, form_threads.c, form_single.c   where transmit.c and incoming.c run
 *     child.c, poll.c   packets that wait for a sleepy child, and the child's part
 *     sequence.c     numbers of frames: which one is a repetition
 *     messages.c     to the threads, where a program has some
 *     format.h       what a frame looks like on the air: ieee802154.c, headers.c. Radios of bytes
 *                    have a link of their own, os/net/byte_link
 *
 * Lists of transfers are changed at the kernel level only. What else two levels share says so.
 */
#ifndef NET_LINK_LINK_H
#define NET_LINK_LINK_H

#include <lichen/link.h>
#include <lichen/link_access.h>
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
    bool says_pending; /* the radio's acknowledgments say that something waits */
    uint8_t listeners; /* of enum link_listener; 0: the radio sleeps */
};

/* What the radio listens for. */
enum link_listener {
    LINK_LISTENS_ALWAYS = 1 << 0, /* the settings do not let it sleep */
    LINK_LISTENS_ANSWER = 1 << 1, /* the parent's, to a request for data */
    LINK_LISTENS_ACK = 1 << 2,    /* where the radio does not wait for it */
    LINK_LISTENS_AWAKE = 1 << 3,  /* link_stay_awake */
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
    LOST_HEADER,        /* not the usual one, which alone the program can read */
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
 * index     enum link_lost, or LOST_BY_LINK and a reason of headers.c
 * context   event, thread
 */
void link_lose(uint8_t index);

/* The count itself: in `link_losses`, or link_headers_losses of headers.c. Tools look for both. */
uint16_t *link_lost_count(uint8_t index);
extern uint16_t link_losses[];

/* Counts up to the largest value. */
static inline void link_add(uint16_t *counter)
{
    *counter = (uint16_t)(*counter + (*counter != UINT16_MAX));
}

extern struct link_counters link_counters;

/* -------- sending */

enum link_kind {
    LINK_DATA = 0,
    LINK_DATA_REQUEST = 1,
};

/* Makes the next frame of what is to be sent, unless one is made ahead already.
 * returns   whether it took a transfer: then there may be more to do
 * context   the form's
 */
bool link_transmit(void);

/* Whether a frame is made, or on its way.
 * context   any
 */
bool link_is_sending(void);

/* The transfer whose frame is sent, or will be next; 0: none, or it was given up.
 * context   event
 */
struct link_transfer *link_current(void);

/* Takes a transfer back whose frame is made ahead, and frees the packet.
 * returns   false: it is not one of those
 * context   event
 */
bool link_withdraw_made(const struct link_transfer *transfer);

/* Nobody waits for a transfer any more: its frame is sent only if the radio has it.
 * context   event
 */
void link_give_up(const struct link_transfer *transfer);

/* -------- access to the channel: context event. What lichen/link_access.h has not, which another
 * access can do without */

/* The next frame, made while another one is sent: the radio may have it before its turn, which
 * link_next tells. One at a time. Only if link_is_on_air is called.
 * owns      `sending` and its packet are the callee's until link_access_ended or _withdraw
 */
void link_access_ahead(struct link_sending *sending);

/* Takes that back. */
void link_access_withdraw(void);

/* The frame is on the air. In transmit.c. */
void link_is_on_air(void);

/* A frame ends, of which link_access_ended tells next. In transmit.c.
 * returns   the frame that is made ahead, whose turn it is; 0: there is none
 */
struct link_sending *link_next(void);

/* -------- lists of transfers: context event */

void link_append(struct link_transfer **list, struct link_transfer *transfer);
int link_begin_here(struct link_transfer *transfer);
void link_end(struct link_transfer *transfer, int result);

/* A call that sends, and waits for the end. */
struct link_call {
    struct syscall syscall;
    struct link_transfer transfer;
};

/* Begins the transfer of a call. The packet is the link's, whatever the result.
 * call      a struct link_call
 * context   event (in a call)
 */
int link_send_here(void *call);

/* What is not written here is written when it is sent. */
static inline void link_send_prepare(struct link_call *call)
{
    call->transfer.flags = 0;
    call->transfer.kind = LINK_DATA;
    call->transfer.active = false;
    call->transfer.call = &call->syscall;
}

/* Runs fn(call) at the kernel level, which fills in destination and packet, if the caller has not,
 * and calls link_send_here.
 * returns   as link_send, or what `fn` returned
 * context   thread
 * blocks    yes
 */
static inline int link_send_by(arch_call_fn *fn, struct link_call *call)
{
    link_send_prepare(call);
    return syscall_run(fn, &call->syscall);
}

/* The same, until the deadline at most. */
static inline int link_send_by_until(arch_call_fn *fn, struct link_call *call, uint64_t deadline)
{
    link_send_prepare(call);
    return syscall_run_until(fn, &call->syscall, deadline);
}

/* -------- the form: where frames are made and checked
 *
 * link_transmit and link_incoming run directly at the kernel level (form_events.c), in a thread
 * each (form_threads.c), or in one thread in turn (form_single.c): os/features.cmake takes the form
 * whose threads the program declares, else the first one. What the form defines is called at the
 * kernel level.
 */

/* A transfer has come into the list: link_transmit will run, not within this call. */
void link_request(void);

/* A frame has ended, so that the next one can be made: the same. */
void link_go_on(void);

/* Whether there is a place for another received packet. */
bool link_has_place(void);

enum link_message_kind {
    LINK_PACKET = 0,
    LINK_TIMER = 1,
    LINK_REQUEST = 2, /* to the only thread */
};

/* Has a packet checked, or link_poll_timer called. A timer that waits already stands for this one,
 * too.
 * kind      LINK_PACKET or LINK_TIMER
 * packet    if it is a LINK_PACKET, for which there is a place
 */
void link_tell(uint8_t kind, packet_t packet);

/* -------- receiving */

/* Does with a frame what the program has frames for: one of the next two.
 * context   the form's
 */
void link_examine(packet_t packet);

/* Checks a frame, and gives its packet to a receiver. In a program that has a receiver, polls, or
 * knows children or neighbours.
 */
void link_incoming(packet_t packet);
void link_incoming_of_programs(packet_t packet);

/* Drops and counts it, in any other program. */
void link_drop(packet_t packet);

/* -------- children: context event. Not there in a program that does not call link_child */

/* Answers a request for data, as soon as no other answer for that child is under way.
 * context   the form's
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
 * context   the form's
 */
bool link_polled(const struct link_frame *frame);

/* The time of the link's timer has come.
 * context   the form's
 */
void link_poll_timer(void);

#endif
