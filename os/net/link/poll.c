/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The child's part: it asks its parent, and listens for the answer. State is changed at the kernel
 * level. Linked by link_poll.
 *
 *     IDLE -> ASKING, the request is under way -> LISTENING -> IDLE, or ASKING if there is more
 *
 * The parent may have a request whose acknowledgment was lost, so the child listens after such a
 * one, too. Only an acknowledgment that says that nothing waits makes it sleep at once.
 */
#include <lichen/timer.h>

#include "net/link/format.h"

__asm__(".global link_incoming"); /* answers arrive */

/* How long a child listens for what its parent has (macMaxFrameTotalWaitTime at 2.4 GHz). */
#define WAIT_SYMBOLS 1220u

/* An answer may come again for so long. The parent ends it LINK_CHILD_S after the first one at
 * least, and by a second later for each poll; in units of 2^20 us. */
#define REPEAT_SHIFT 20
#define REPEAT_UNITS ((LINK_CHILD_S + LINK_CHILD_POLLS) * TIME_US_PER_S >> REPEAT_SHIFT)

EVENT_EXTERN(link_poll_due);
EVENT_EXTERN(link_poll_sent);
EVENT_EXTERN(link_poll_vain);

static TIMER(next_poll, link_poll_due);
static TIMER(listening, link_poll_vain);
static struct link_transfer request = {.ended = &link_poll_sent};
static struct link_address parent;
static uint32_t period_ms; /* 0: does not poll */
static bool is_listening;  /* LISTENING; ASKING is an active request */
static bool is_answered;   /* the present request */
static bool has_more;      /* net-main's, for the event that it posts */
static bool is_due;        /* a period has ended while it was not IDLE */

static void sleep(void)
{
    link_listen(LINK_LISTENS_ANSWER, false);
}

/* IDLE. The parent may answer before the request has ended here, so the radio listens from now on.
 * Without a packet, the next period brings another request. */
static void ask(void)
{
    if (link_format_request(&request.packet) != 0) {
        sleep();
        return;
    }
    request.destination = parent;
    request.kind = LINK_DATA_REQUEST;
    is_answered = false;
    is_due = false;
    link_listen(LINK_LISTENS_ANSWER, true);
    if (link_begin_here(&request) != 0) {
        packet_free(request.packet);
        sleep();
    }
}

/* The request and its answer have ended. */
static void end(bool goes_on)
{
    if (is_listening) {
        is_listening = false;
        (void)timer_cancel(&listening);
    }
    if ((goes_on || is_due) && period_ms > 0) {
        ask();
    } else {
        sleep();
    }
}

static bool is_announced(void)
{
    return request.result == 0 && (request.pending || !link_acks_tell());
}

/* Whether the parent may have the request, and an answer. */
static bool may_be_answered(void)
{
    return period_ms > 0 && request.sent > 0 && (request.result != 0 || is_announced());
}

EVENT(link_poll_sent)
{
    if (is_answered) {
        end(has_more);
    } else if (may_be_answered()) {
        is_listening = true;
        (void)!timer_arm_after(&listening, (uint32_t)WAIT_SYMBOLS * radio_facts.symbol_us);
    } else {
        end(false);
    }
}

/* The answer may have come meanwhile. */
EVENT(link_poll_vain)
{
    if (is_listening) {
        if (is_announced()) {
            link_lose(LOST_NOT_SENT);
        }
        end(false);
    }
}

EVENT(link_poll_due)
{
    link_tell(LINK_TIMER, PACKET_NONE);
}

EVENT(link_poll_now)
{
    if (period_ms > 0) {
        is_due = request.active || is_listening;
        if (!is_due) {
            ask();
        }
        (void)!timer_arm_after(&next_poll, period_ms * UINT64_C(1000));
    }
}

void link_poll_timer(void)
{
    event_post(&link_poll_now);
}

/* net-main is more urgent than net-tx, so the answer may be here before the request has ended. */
EVENT(link_poll_answered)
{
    is_answered = true;
    if (!request.active) {
        end(has_more);
    }
}

/* -------- net-main */

/* Of secured frames, the counter has told that they are new. */
static bool repeats(const struct link_frame *frame)
{
    static uint8_t last;
    static uint16_t last_heard;
    static bool has_last;
    uint16_t now = (uint16_t)(time_now_us() >> REPEAT_SHIFT);

    if (!frame->is_data || !frame->has_sequence || frame->is_secured) {
        return false;
    }
    if (has_last && frame->sequence == last && (uint16_t)(now - last_heard) <= REPEAT_UNITS) {
        return true;
    }
    has_last = true;
    last = frame->sequence;
    last_heard = now;
    return false;
}

bool link_polled(const struct link_frame *frame)
{
    if (frame->to_all || !link_same(&frame->source, &parent)) {
        return false;
    }
    has_more = frame->pending;
    event_post(&link_poll_answered);
    return repeats(frame);
}

/* -------- for programs */

static int set(void *parent_, void *period_)
{
    if (!link_state.is_open || !link_format_reaches(parent_) ||
        ((const struct link_address *)parent_)->short_address == LINK_ALL) {
        return ERR_INVALID;
    }
    parent = *(const struct link_address *)parent_;
    period_ms = *(const uint32_t *)period_;
    (void)timer_cancel(&next_poll);
    if (period_ms > 0) {
        link_tell(LINK_TIMER, PACKET_NONE);
    } else if (!request.active) {
        end(false);
    }
    return 0;
}

int link_poll(const struct link_address *address, uint32_t period)
{
    return kernel_run_with(set, (void *)(uintptr_t)address, &period);
}

static int copy_parent(void *address)
{
    if (period_ms == 0) {
        return ERR_EMPTY;
    }
    *(struct link_address *)address = parent;
    return 0;
}

int link_parent(struct link_address *address)
{
    return kernel_run(copy_parent, address);
}

static void stay(void *is_awake)
{
    link_listen(LINK_LISTENS_AWAKE, is_awake != 0);
}

void link_stay_awake(bool is_awake)
{
    kernel_do(stay, (void *)(uintptr_t)is_awake);
}
