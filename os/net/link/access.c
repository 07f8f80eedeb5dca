/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Access to the channel (802.15.4-2015, 6.2.5.1, unslotted CSMA-CA) and retries (6.7.4.4): by the
 * radio, if it can, else here.
 *
 * While the radio waits by itself it does not receive. A mote that passes packets on lets it send
 * and wait for the acknowledgment, and backs off here.
 */
#include <lichen/random.h>
#include <lichen/timer.h>

#include "net/link/format.h"

/* Table 8-94, macMinBe, macMaxBe, macMaxCsmaBackoffs and macMaxFrameRetries. */
enum {
    EXPONENT_LEAST = 3,
    EXPONENT_MOST = 5,
    BACKOFFS = 4,
    RETRIES = 3,
    BACKOFF_SYMBOLS = 20,   /* aUnitBackoffPeriod */
    ACK_SYMBOLS = 54,       /* macAckWaitDuration at 2.4 GHz */
    ACK_SOFTWARE_US = 2000, /* more, for receivers that acknowledge by software */
};

static volatile bool delay_is_over;

static struct {
    volatile uint8_t sequence;
    volatile bool is_awaited;
    volatile bool has_come;
    volatile bool pending;
} acknowledgment;

EVENT(link_delay_over)
{
    delay_is_over = true;
    notify_post(&link_wake_tx);
}
static TIMER(delay, link_delay_over);

EVENT(link_sent)
{
    notify_post(&link_wake_tx);
}
static struct radio_transfer transfer = {
    .ended = &link_sent, .csma_retries = BACKOFFS, .exponent_most = EXPONENT_MOST};

void link_acknowledged(uint8_t sequence, bool pending)
{
    if (acknowledgment.is_awaited && acknowledgment.sequence == sequence) {
        acknowledgment.is_awaited = false;
        acknowledgment.pending = pending;
        acknowledgment.has_come = true;
        notify_post(&link_wake_tx);
    }
}

static void begin_delay(uint32_t us)
{
    delay_is_over = false;
    (void)!timer_arm_after(&delay, us);
}

static void back_off(uint8_t exponent)
{
    uint8_t periods = random_u32() & ((1u << exponent) - 1u);

    if (periods > 0) {
        begin_delay((uint32_t)periods * BACKOFF_SYMBOLS * radio_facts.symbol_us);
        while (!delay_is_over) {
            notify_wait(&link_wake_tx);
        }
    }
}

/* The radio sends it, by itself as far as `flags` say. */
static int transmit(struct link_sending *sending, uint8_t flags)
{
    transfer.packet = sending->packet;
    transfer.flags = flags;
    int error = radio_send(&transfer);
    if (error != 0) {
        return ERR_IO;
    }
    while (transfer.active) {
        notify_wait(&link_wake_tx);
    }
    sending->sent = (uint8_t)(sending->sent + transfer.sent);
    sending->pending = transfer.pending;
    return transfer.result == ERR_TIMEOUT ? ERR_IO : transfer.result;
}

/* A child that has asked listens, and costs its battery, until it has its answer; and no other mote
 * answers it at the same time. So there is no backoff before the first look at the channel. */
static uint8_t exponent_least(const struct link_sending *sending)
{
    return sending->is_polled ? 0 : EXPONENT_LEAST;
}

static int transmit_when_clear(struct link_sending *sending, uint8_t flags)
{
    uint8_t exponent = exponent_least(sending);

    for (uint8_t i = 0; i <= BACKOFFS; i++) {
        back_off(exponent);
        int error = transmit(sending, flags | RADIO_IF_CLEAR);
        if (error != ERR_CHANNEL) {
            return error;
        }
        exponent = (uint8_t)(exponent + (exponent < EXPONENT_MOST));
    }
    return ERR_CHANNEL;
}

static int await_acknowledgment(struct link_sending *sending)
{
    begin_delay((uint32_t)ACK_SYMBOLS * radio_facts.symbol_us + ACK_SOFTWARE_US);
    while (!acknowledgment.has_come && !delay_is_over) {
        notify_wait(&link_wake_tx);
    }
    (void)timer_cancel(&delay);
    acknowledgment.is_awaited = false;
    sending->pending = acknowledgment.has_come && acknowledgment.pending;
    return acknowledgment.has_come ? 0 : ERR_NO_ACK;
}

static void listen(void *listens)
{
    link_listen(LINK_LISTENS_ACK, (bool)(uintptr_t)listens);
}

/* Sends it once, and waits for its acknowledgment if the radio does not. */
static int attempt(struct link_sending *sending, uint8_t flags, bool awaits)
{
    if (awaits) {
        acknowledgment.has_come = false;
        acknowledgment.sequence = sending->sequence;
        acknowledgment.is_awaited = true;
    }
    int error =
        (flags & RADIO_CSMA) != 0 ? transmit(sending, flags) : transmit_when_clear(sending, flags);
    return error == 0 && awaits ? await_acknowledgment(sending) : error;
}

int link_access(struct link_sending *sending)
{
    bool by_radio = link_radio_can(RADIO_CAN_CSMA) &&
                    (link_state.settings.flags & LINK_RECEIVES_IN_BACKOFF) == 0;
    bool acknowledged_by_radio = sending->wants_ack && link_radio_can(RADIO_CAN_RETRY);
    uint8_t flags = (by_radio ? RADIO_CSMA : 0) | (acknowledged_by_radio ? RADIO_RETRY : 0);
    bool awaits = sending->wants_ack && !acknowledged_by_radio;
    bool retries_here = sending->wants_ack && !(by_radio && acknowledged_by_radio);
    uint8_t left = retries_here ? RETRIES : 0;
    bool wakes = awaits && (link_state.settings.flags & LINK_SLEEPS) != 0;
    int error;

    transfer.frame_retries = by_radio ? RETRIES : 0;
    transfer.exponent_least = exponent_least(sending);
    if (wakes) {
        kernel_do(listen, (void *)(uintptr_t) true);
    }
    do {
        error = attempt(sending, flags, awaits);
    } while (error == ERR_NO_ACK && left-- > 0);
    if (wakes) {
        kernel_do(listen, (void *)(uintptr_t) false);
    }
    return error;
}
