/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The child's part: it asks its parent, and listens until the parent's frame has come. It listens
 * even if its request was not acknowledged: the acknowledgment may be what was lost. All of it runs
 * at the kernel level. */
#include <lichen/timer.h>

#include "net/byte_link/byte_link.h"

__asm__(".global byte_link_received");

/* How long it listens: 1,220 symbols of 208 us, as on other radios. */
#define WAIT_US (1220u * 208ul)

EVENT_EXTERN(byte_link_poll_due);
EVENT_EXTERN(byte_link_poll_sent);
EVENT_EXTERN(byte_link_poll_vain);

static TIMER(next_poll, byte_link_poll_due);
static TIMER(listening, byte_link_poll_vain);
static struct link_transfer request = {.ended = &byte_link_poll_sent, .kind = KIND_REQUEST};
static uint32_t period_ms; /* 0: does not poll */
static bool is_answered;   /* since the request has begun */
static bool has_more;

static void sleep(void)
{
    (void)timer_cancel(&listening);
    byte_link_listen(LISTENS_ANSWER, false);
}

/* The parent may answer before the request has ended here, so the radio listens from now on. Never
 * two requests at a time. */
static void ask(void)
{
    (void)timer_cancel(&listening);
    is_answered = false;
    byte_link_listen(LISTENS_ANSWER, true);
    if (byte_link_begin(&request) != 0 && !request.active) {
        sleep();
    }
}

static void go_on(void)
{
    if (has_more && period_ms > 0) {
        ask();
    } else {
        sleep();
    }
}

EVENT(byte_link_poll_sent)
{
    if (is_answered) {
        go_on();
    } else if (period_ms == 0) {
        sleep();
    } else {
        (void)timer_cancel(&listening);
        (void)!timer_arm_after(&listening, WAIT_US);
    }
}

/* It may have asked again meanwhile. */
EVENT(byte_link_poll_vain)
{
    if (!request.active) {
        byte_link_lose(LOST_NOT_SENT);
        sleep();
    }
}

EVENT(byte_link_poll_due)
{
    if (period_ms > 0) {
        if (!request.active) {
            ask();
        }
        (void)!timer_arm_after(&next_poll, period_ms * UINT64_C(1000));
    }
}

/* What is sent to all is no answer. A packet does not tell whether the parent has more. */
void byte_link_polled(uint16_t source, const uint8_t *frame)
{
    if (source == request.destination.short_address && period_ms > 0 &&
        byte_link_u16(frame) != LINK_ALL) {
        has_more = frame[LENGTH_AT] > 0 || frame[TYPE_AT] < TYPE_PACKET;
        is_answered = true;
        if (!request.active) {
            go_on();
        }
    }
}

static int set(void *parent_, void *period)
{
    const struct link_address *parent = parent_;

    if (!byte_link_state.is_open || parent->short_address >= LINK_EXTENDED) {
        return ERR_INVALID;
    }
    request.destination = *parent;
    period_ms = *(const uint32_t *)period;
    (void)timer_cancel(&next_poll);
    if (period_ms > 0) {
        event_post(&byte_link_poll_due);
    } else if (!request.active) {
        sleep();
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
    *(struct link_address *)address = request.destination;
    return 0;
}

int link_parent(struct link_address *address)
{
    return kernel_run(copy_parent, address);
}

static void stay(void *is_awake)
{
    byte_link_listen(LISTENS_AWAKE, is_awake != 0);
}

void link_stay_awake(bool is_awake)
{
    kernel_do(stay, (void *)(uintptr_t)is_awake);
}
