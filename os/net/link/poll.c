/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The child's part: it asks its parent, and listens while the parent has something for it. State is
 * changed at the kernel level. Linked by link_poll.
 */
#include <lichen/timer.h>

#include "net/link/format.h"

/* How long a child listens for what its parent has (macMaxFrameTotalWaitTime at 2.4 GHz). */
#define WAIT_SYMBOLS 1220u

EVENT_EXTERN(link_poll_due);
EVENT_EXTERN(link_poll_sent);
EVENT_EXTERN(link_poll_vain);

static TIMER(next_poll, link_poll_due);
static TIMER(listening, link_poll_vain);
static struct link_transfer request = {.ended = &link_poll_sent};
static struct link_address parent;
static uint32_t period_ms; /* 0: does not poll */
static bool is_answered;
static bool has_more; /* net-main's, for the event that it posts */

static void sleep(void)
{
    (void)timer_cancel(&listening);
    link_listen(LINK_LISTENS_ANSWER, false);
}

/* The parent may answer before the request has ended here, so the radio listens from now on. */
static void ask(void)
{
    if (request.active || packet_alloc(&request.packet, ARCH_TEXT("poll"), LINK_HEADROOM, 0) != 0) {
        return;
    }
    (void)timer_cancel(&listening);
    request.destination = parent;
    is_answered = false;
    link_listen(LINK_LISTENS_ANSWER, true);
    request.kind = LINK_DATA_REQUEST;
    if (link_begin_here(&request) != 0) {
        packet_free(request.packet);
        sleep();
    }
}

/* No request is under way. Without a packet for another one, the next period brings it. */
static void go_on(void)
{
    if (has_more && period_ms > 0) {
        ask();
    }
    if (!request.active) {
        sleep();
    }
}

EVENT(link_poll_sent)
{
    if (is_answered) {
        go_on();
    } else if (period_ms == 0 || request.result != 0 || (link_acks_tell() && !request.pending)) {
        sleep();
    } else {
        (void)timer_cancel(&listening);
        (void)!timer_arm_after(&listening, (uint32_t)WAIT_SYMBOLS * radio_facts.symbol_us);
    }
}

/* It may have asked again meanwhile. */
EVENT(link_poll_vain)
{
    if (!request.active) {
        link_lose(LOST_NOT_SENT);
        sleep();
    }
}

EVENT(link_poll_due)
{
    link_tell(LINK_TIMER, PACKET_NONE);
}

EVENT(link_poll_now)
{
    if (period_ms > 0) {
        ask();
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
        go_on();
    }
}

void link_polled(const struct link_address *source, bool more)
{
    if (link_same(source, &parent)) {
        has_more = more;
        event_post(&link_poll_answered);
    }
}

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
    } else {
        sleep();
    }
    return 0;
}

int link_poll(const struct link_address *address, uint32_t period)
{
    return kernel_run_with(set, (void *)(uintptr_t)address, &period);
}
