/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Packets that wait until their sleepy receiver asks for them (802.15.4-2015, 6.7.3). All of it
 * runs at the kernel level.
 *
 *     for_children --asked--> to_send, as polled --net-tx--> acknowledged: ends
 *          ^                                                 not:
 *          +------ put back, first, with the same number ------+--> 4 polls, or 30 s: ERR_TIMEOUT
 *
 * One answer for a child is under way at a time. A child that asks meanwhile is remembered, and
 * answered after it: it has the answer before the link here knows of that.
 */
#include <lichen/timer.h>

#include "net/link/format.h"
#include "net/neighbour/neighbour.h"

/* Requests arrive, and answers are sent again. */
__asm__(".global link_incoming\n\t.global link_format_renew");

EVENT_EXTERN(link_second);
static TIMER(second, link_second);

/* Who has asked and is not answered yet, the oldest first. One that finds no place listens in vain,
 * and asks again in its next period. */
enum { POLLS = 3 };
struct poll {
    struct link_address child;
    bool is_told; /* by the acknowledgment, that nothing waits */
};
static struct poll polls[POLLS];
static uint8_t poll_count;

static void begin_second(void)
{
    (void)!timer_arm_after(&second, TIME_US_PER_S);
}

/* Has the radio's acknowledgments of requests say whether anything waits, for whomever: a radio
 * does not know for whom. */
static void say_pending(void)
{
    bool waits = link_state.for_children != 0;

    if (link_radio_can(RADIO_CAN_ANNOUNCE) && waits != link_state.says_pending) {
        link_state.says_pending = waits;
        (void)!link_tune();
    }
}

/* -------- what waits */

EVENT(link_second)
{
    struct link_transfer **link = &link_state.for_children;

    while (*link != 0) {
        struct link_transfer *transfer = *link;
        transfer->seconds_left--;
        if (transfer->seconds_left > 0) {
            link = &transfer->next;
        } else {
            *link = transfer->next;
            packet_free(transfer->packet);
            link_lose(transfer->polls > 0 ? LOST_CHILD_NO_ACK : LOST_NOT_ASKED_FOR);
            link_end(transfer, ERR_TIMEOUT);
        }
    }
    if (link_state.for_children != 0) {
        begin_second();
    }
    say_pending();
}

void link_wait_for_child(struct link_transfer *transfer)
{
    transfer->seconds_left = LINK_CHILD_S;
    link_append(&link_state.for_children, transfer);
    begin_second();
    say_pending();
}

bool link_waits(const struct link_address *child)
{
    for (const struct link_transfer *transfer = link_state.for_children; transfer != 0;
         transfer = transfer->next) {
        if (link_same(&transfer->destination, child)) {
            return true;
        }
    }
    return false;
}

static bool answers(const struct link_transfer *transfer, const struct link_address *child)
{
    return transfer->is_polled && link_same(&transfer->destination, child);
}

static bool is_being_answered(const struct link_address *child)
{
    if (link_current() != 0 && answers(link_current(), child)) {
        return true;
    }
    for (const struct link_transfer *transfer = link_state.to_send;
         transfer != 0 && transfer->is_polled; transfer = transfer->next) {
        if (answers(transfer, child)) {
            return true;
        }
    }
    return false;
}

bool link_has_for(const struct link_address *child)
{
    return link_waits(child) || is_being_answered(child);
}

/* -------- answers */

/* Answers go first, in their order, since a child listens for a short time only. */
static void send_answer(struct link_transfer *transfer)
{
    struct link_transfer **link = &link_state.to_send;

    transfer->is_polled = true;
    while (*link != 0 && (*link)->is_polled) {
        link = &(*link)->next;
    }
    transfer->next = *link;
    *link = transfer;
    link_request();
}

static bool send_first_for(const struct link_address *child)
{
    for (struct link_transfer **link = &link_state.for_children; *link != 0;
         link = &(*link)->next) {
        struct link_transfer *transfer = *link;
        if (link_same(&transfer->destination, child)) {
            *link = transfer->next;
            send_answer(transfer);
            return true;
        }
    }
    return false;
}

/* By an empty packet. Without memory for it the child listens in vain.
 * returns   false: one for another child is on its way
 */
static bool say_nothing_waits(const struct link_address *child)
{
    static struct link_transfer empty = {.flags = LINK_UNACKNOWLEDGED};

    if (empty.active) {
        return false;
    }
    if (packet_alloc(&empty.packet, ARCH_TEXT("no data"), LINK_HEADROOM, 0) == 0) {
        empty.destination = *child;
        empty.active = true;
        send_answer(&empty);
    }
    return true;
}

/* Returns false if that has to wait. */
static bool answer(const struct poll *poll)
{
    if (is_being_answered(&poll->child)) {
        return false;
    }
    return send_first_for(&poll->child) || poll->is_told || say_nothing_waits(&poll->child);
}

static void answer_all(void)
{
    uint8_t left = 0;

    for (uint8_t i = 0; i < poll_count; i++) {
        if (!answer(&polls[i])) {
            polls[left++] = polls[i];
        }
    }
    poll_count = left;
}

static bool is_known(const struct link_address *child)
{
    for (uint8_t i = 0; i < poll_count; i++) {
        if (link_same(&polls[i].child, child)) {
            return true;
        }
    }
    return false;
}

/* A request that is repeated while it is being answered is not another one. */
static void take_poll(void *frame_)
{
    const struct link_frame *frame = frame_;
    const struct link_address *child = &frame->source;

    if (poll_count < POLLS && !is_known(child) &&
        !(frame->is_repeated && is_being_answered(child))) {
        polls[poll_count].child = *child;
        polls[poll_count].is_told = link_acks_tell() && !link_state.says_pending;
        poll_count++;
        answer_all();
    }
}

void link_child_asks(const struct link_frame *frame)
{
    kernel_do(take_poll, (void *)(uintptr_t)frame);
}

/* What acknowledgments say is set when an answer has been sent, since that takes the radio most of
 * a millisecond, for which the child would have to listen.
 */
EVENT(link_answers_next)
{
    answer_all();
    say_pending();
}

void link_answer_next(void)
{
    event_post(&link_answers_next);
}

static bool may_come_later(uint8_t lost)
{
    return lost == LOST_NO_ACK || lost == LOST_CHANNEL;
}

/* The frame waits as it is, with its number. Returns false if it has been sent often enough. */
static bool put_back(struct link_transfer *transfer, const struct link_sending *sending)
{
    transfer->polls = (uint8_t)(transfer->polls + (sending->sent > 0));
    if (transfer->polls == LINK_CHILD_POLLS) {
        return false;
    }
    transfer->packet = sending->packet;
    transfer->sequence = sending->sequence;
    transfer->is_frame = true;
    transfer->is_polled = false;
    transfer->next = link_state.for_children;
    link_state.for_children = transfer;
    begin_second();
    return true;
}

/* If its sender does not wait for it any more, or its receiver is no child any more, it ends as
 * other packets do. */
bool link_answered(struct link_transfer *transfer, struct link_sending *sending, uint8_t lost)
{
    bool may_wait = sending->wants_ack && transfer != 0 && transfer->is_polled;

    link_answer_next();
    if (may_wait && may_come_later(lost)) {
        if (put_back(transfer, sending)) {
            return false;
        }
        lost = LOST_CHILD_NO_ACK;
        sending->result = ERR_TIMEOUT;
    }
    if (lost != LOST_NONE) {
        link_lose(lost);
    }
    return true;
}

/* -------- who is a child */

static void forget_poll(struct link_transfer *transfer, const struct link_address *child)
{
    if (link_same(&transfer->destination, child)) {
        transfer->is_polled = false;
    }
}

/* What has waited for one that is no child any more is sent as usual. */
static int release(void *child)
{
    struct link_transfer **link = &link_state.for_children;

    if (link_current() != 0) {
        forget_poll(link_current(), child);
    }
    for (struct link_transfer *transfer = link_state.to_send; transfer != 0;
         transfer = transfer->next) {
        forget_poll(transfer, child);
    }
    while (*link != 0) {
        struct link_transfer *transfer = *link;
        if (link_same(&transfer->destination, child)) {
            *link = transfer->next;
            link_append(&link_state.to_send, transfer);
            link_request();
        } else {
            link = &transfer->next;
        }
    }
    say_pending();
    return 0;
}

int link_child(const struct link_address *address, bool is_child)
{
    if (address->short_address == LINK_ALL) {
        return ERR_INVALID;
    }
    bool is_known = neighbour_set_child(address, is_child);
    if (is_child) {
        return is_known ? 0 : ERR_FULL;
    }
    return kernel_run(release, (void *)(uintptr_t)address);
}
