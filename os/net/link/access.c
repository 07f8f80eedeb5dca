/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Access to the channel (802.15.4-2015, 6.2.5.1, unslotted CSMA-CA) and retries (6.7.4.4): by the
 * radio, if it can, else here. All of it runs at the kernel level, and nothing waits in it.
 *
 *     IDLE      link_access                          BACKOFF; SEND if the radio backs off
 *     GAP       the alarm                            the same, or IDLE if there is no frame
 *     BACKOFF   the alarm                            SEND
 *     SEND      the radio: sent, to be acknowledged  AWAIT
 *               sent                                 GAP
 *               the channel is busy                  BACKOFF, four times
 *               all else                             IDLE
 *     AWAIT     the acknowledgment                   GAP
 *               the alarm                            BACKOFF, three times, then IDLE
 *
 * Receivers need a gap behind each frame (6.2.4): this mote's next frame begins no earlier. The
 * radio has it before, if it can hold a frame: in GAP, and in BACKOFF, if it receives meanwhile.
 *
 * While the radio waits by itself it does not receive. A mote that passes packets on lets it send
 * and wait for the acknowledgment, and backs off here.
 *
 * An acknowledgment names a number and no mote. What tells this frame's from another's is when it
 * began: after the frame had ended, and so soon that no other frame had room between them. The
 * radio's driver says whether it did (RADIO_ANSWERS).
 */
#include <lichen/alarm.h>
#include <lichen/random.h>

#include "net/link/format.h"

/* Table 8-94, macMinBe, macMaxBe, macMaxCsmaBackoffs and macMaxFrameRetries. */
enum {
    EXPONENT_LEAST = 3,
    EXPONENT_MOST = 5,
    BACKOFFS = 4,
    RETRIES = 3,
    BACKOFF_SYMBOLS = 20, /* aUnitBackoffPeriod */
};

/* Of an acknowledgment whose start has ended (RADIO_ANSWER_SYMBOLS), the rest takes 12 symbols; and
 * until it has been read, the radio may move a frame that came before. */
enum {
    ACK_REST_SYMBOLS = 12,
    ACK_READ_US = 1456,
    FCS_BYTES = 2,
};

/* macLifsPeriod, and macSifsPeriod behind frames of aMaxSifsFrameSize at most, with their FCS. */
enum {
    LIFS_SYMBOLS = 40,
    SIFS_SYMBOLS = 12,
    SIFS_BYTES_MOST = 18,
};

enum state { IDLE, GAP, BACKOFF, SEND, AWAIT };

static struct {
    struct link_sending *sending; /* 0: none */
    struct link_sending *ahead;   /* the next one, which the radio holds, or will; 0: none */
    uint16_t gap_us;              /* behind a frame that has just ended, where no alarm counts it */
    uint16_t passes_us; /* of it while its end becomes known, and from its own end to the air */
    uint8_t state;      /* enum state */
    uint8_t exponent;   /* of the next backoff */
    uint8_t looks;      /* at the channel that are left */
    uint8_t retries;    /* that are left */
    bool awaits;        /* the acknowledgment is awaited here */
} access;

EVENT_EXTERN(link_alarm);
static ALARM(alarm, link_alarm);

EVENT_EXTERN(link_begun);
EVENT_EXTERN(link_sent);
#define TRANSFER                                                                                   \
    {                                                                                              \
        .ended = &link_sent, .begun = &link_begun, .csma_retries = BACKOFFS,                       \
        .exponent_most = EXPONENT_MOST                                                             \
    }
static struct radio_transfer transfers[] = {TRANSFER, TRANSFER}; /* of the frame, and of `ahead` */
static struct radio_transfer *transfer = transfers;

static struct radio_transfer *other(void)
{
    return transfer == transfers ? transfers + 1 : transfers;
}

/* -------- the gap */

static void set_alarm(uint8_t state, uint16_t us)
{
    access.state = state;
    (void)!alarm_set(&alarm, us);
}

/* Behind the frame that has just been sent. */
static uint16_t gap_us(void)
{
    bool is_short = packet_length(transfer->packet) + FCS_BYTES <= SIFS_BYTES_MOST;

    return (uint16_t)((is_short ? SIFS_SYMBOLS : LIFS_SYMBOLS) * radio_facts.symbol_us);
}

/* What is left of a pause, and of the gap before it, when the end of the last frame is known here,
 * and until the radio is told to send. */
static uint16_t left_of(uint16_t us)
{
    if (access.gap_us == 0) {
        return us;
    }
    us = (uint16_t)(us + access.gap_us);
    access.gap_us = 0;
    return us > access.passes_us ? (uint16_t)(us - access.passes_us) : 0;
}

static void wait_for_gap(void)
{
    set_alarm(GAP, left_of(0));
}

/* -------- backoff */

/* Gives the radio the frame, if it has not got it, for it to hold, or to send. It comes before the
 * one ahead. */
static void give(uint8_t hold)
{
    if (transfer->active) {
        (void)(hold != 0 || radio_go(transfer));
        return;
    }
    if (access.ahead != 0) {
        (void)radio_cancel(other());
    }
    transfer->flags = (uint8_t)((transfer->flags & ~RADIO_HOLD) | hold);
    if (radio_send(transfer) != 0 && hold == 0) {
        transfer->result = ERR_IO;
        event_post(&link_sent);
    }
}

static void send(void)
{
    access.state = SEND;
    give(0);
}

/* A gap and the longest backoff, of 620 symbols, are one alarm. */
static void back_off(void)
{
    uint8_t periods = random_u32() & ((1u << access.exponent) - 1u);
    uint16_t us = left_of((uint16_t)(periods * BACKOFF_SYMBOLS * radio_facts.symbol_us));

    if (us == 0) {
        send();
        return;
    }
    set_alarm(BACKOFF, us);
    if (link_radio_can(RADIO_CAN_HOLD_APART)) {
        give(RADIO_HOLD);
    }
}

/* A child that has asked listens, and costs its battery, until it has its answer; and no other mote
 * answers it at the same time. So there is no backoff before the first look at the channel. */
static uint8_t exponent_least(const struct link_sending *sending)
{
    return sending->is_polled ? 0 : EXPONENT_LEAST;
}

/* A radio that is deaf while it holds a frame does so for the gap only. */
static bool can_hold(const struct radio_transfer *next)
{
    return link_radio_can((next->flags & RADIO_CSMA) != 0 ? RADIO_CAN_HOLD : RADIO_CAN_HOLD_APART);
}

static void hold_in_gap(void)
{
    if (can_hold(transfer)) {
        give(RADIO_HOLD);
    }
}

static void begin(void)
{
    access.exponent = exponent_least(access.sending);
    access.looks = BACKOFFS;
    if ((transfer->flags & RADIO_CSMA) == 0) {
        back_off();
    } else if (access.gap_us == 0) {
        send();
    } else {
        wait_for_gap();
        hold_in_gap();
    }
}

static bool backs_off_by_radio(void)
{
    return link_radio_can(RADIO_CAN_CSMA) &&
           (link_state.settings.flags & LINK_RECEIVES_IN_BACKOFF) == 0;
}

static void prepare(struct radio_transfer *next, const struct link_sending *sending)
{
    bool by_radio = backs_off_by_radio();

    next->packet = sending->packet;
    next->flags = by_radio ? RADIO_CSMA : RADIO_IF_CLEAR;
    next->flags |= sending->wants_ack && link_radio_can(RADIO_CAN_RETRY) ? RADIO_RETRY : 0;
    next->frame_retries = by_radio ? RETRIES : 0;
    next->exponent_least = exponent_least(sending);
}

static bool retries_by_radio(void)
{
    return (transfer->flags & RADIO_CSMA) != 0 && (transfer->flags & RADIO_RETRY) != 0;
}

void link_access(struct link_sending *sending)
{
    if (access.ahead != 0) {
        access.ahead = 0;
        transfer = other();
    } else {
        prepare(transfer, sending);
    }
    access.sending = sending;
    access.awaits = sending->wants_ack && (transfer->flags & RADIO_RETRY) == 0;
    access.retries = sending->wants_ack && !retries_by_radio() ? RETRIES : 0;
    if (access.awaits && (link_state.settings.flags & LINK_SLEEPS) != 0) {
        link_listen(LINK_LISTENS_ACK, true);
    }
    if (access.state == GAP) {
        hold_in_gap();
    } else {
        begin();
    }
}

/* A radio that leaves acknowledgments to the link would take the frame while it should be read. */
static void hold_ahead(void)
{
    struct radio_transfer *next = other();

    if ((next->flags & RADIO_CSMA) != 0 && can_hold(next)) {
        next->flags |= RADIO_HOLD;
        (void)!radio_send(next);
    }
}

void link_access_ahead(struct link_sending *sending)
{
    access.ahead = sending;
    prepare(other(), sending);
    hold_ahead();
}

void link_access_withdraw(void)
{
    access.ahead = 0;
    (void)radio_cancel(other());
}

/* The one ahead may have been cancelled for a frame that is sent again. */
EVENT(link_begun)
{
    if (access.ahead != 0 && !other()->active) {
        hold_ahead();
    }
    link_is_on_air();
}

/* -------- the end */

/* The next frame goes first: the radio takes it while the end of this one is told. */
static void finish(int error)
{
    struct link_sending *sending = access.sending;
    struct link_sending *next = link_next();

    access.sending = 0;
    if ((link_state.listeners & LINK_LISTENS_ACK) != 0) {
        link_listen(LINK_LISTENS_ACK, false);
    }
    if (next != 0) {
        link_access(next);
    } else if (access.gap_us != 0) {
        wait_for_gap();
    }
    link_access_ended(sending, error);
}

static void end(int error)
{
    access.state = IDLE;
    access.gap_us = error == 0 ? gap_us() : 0;
    access.passes_us = (uint16_t)(radio_facts.start_us +
                                  (access.awaits ? radio_facts.received_us : radio_facts.told_us));
    finish(error);
}

static void channel_is_busy(void)
{
    if (access.looks == 0) {
        end(ERR_CHANNEL);
        return;
    }
    access.looks--;
    access.exponent = (uint8_t)(access.exponent + (access.exponent < EXPONENT_MOST));
    back_off();
}

static void is_not_acknowledged(void)
{
    if (access.retries == 0) {
        end(ERR_NO_ACK);
        return;
    }
    access.retries--;
    begin();
}

/* -------- acknowledgment */

static void await_acknowledgment(void)
{
    set_alarm(AWAIT, (uint16_t)(RADIO_ANSWER_SYMBOLS + ACK_REST_SYMBOLS) * radio_facts.symbol_us +
                         ACK_READ_US);
}

void link_acknowledged(uint8_t sequence, bool pending)
{
    if (access.state == AWAIT && access.sending->sequence == sequence) {
        (void)alarm_cancel(&alarm);
        access.sending->pending = pending;
        end(0);
    }
}

/* -------- events */

/* A transfer that the radio held, and that was cancelled or failed meanwhile, may have posted it.
 */
EVENT(link_sent)
{
    uint8_t result = transfer->result;

    if (access.state != SEND || transfer->active) {
        return;
    }
    transfer->flags |= RADIO_AGAIN;
    access.sending->sent = (uint8_t)(access.sending->sent + transfer->sent);
    access.sending->pending = transfer->pending;
    if (result == ERR_CHANNEL && (transfer->flags & RADIO_CSMA) == 0) {
        channel_is_busy();
    } else if (result == ERR_NO_ACK) {
        is_not_acknowledged();
    } else if (result == 0 && access.awaits) {
        await_acknowledgment();
    } else {
        end(result == ERR_TIMEOUT ? ERR_IO : result);
    }
}

/* An alarm that was cancelled may have posted it before. */
EVENT(link_alarm)
{
    if (alarm.is_set) {
        return;
    }
    if (access.state == BACKOFF) {
        send();
    } else if (access.state == GAP) {
        access.state = IDLE;
        if (access.sending != 0) {
            begin();
        }
    } else if (access.state == AWAIT) {
        is_not_acknowledged();
    }
}

/* -------- from transmit.c */

/* A backoff may include the gap behind the frame before: its alarm goes on. */
void link_access_give_up(void)
{
    access.looks = 0;
    access.retries = 0;
    if (access.state == SEND) {
        return;
    }
    (void)radio_cancel(transfer);
    if (access.state == AWAIT) {
        (void)alarm_cancel(&alarm);
        end(ERR_CANCELLED);
    } else {
        access.state = GAP;
        finish(ERR_CANCELLED);
    }
}
