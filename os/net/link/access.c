/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Access to the channel (802.15.4-2015, 6.2.5.1, unslotted CSMA-CA) and retries (6.7.4.4): by the
 * radio, if it can, else here. All of it runs at the kernel level, and nothing waits in it.
 *
 *     IDLE      link_access                          BACKOFF; SEND if the radio backs off
 *     BACKOFF   the alarm                            SEND
 *     SEND      the radio: sent, to be acknowledged  AWAIT
 *               the channel is busy                  BACKOFF, four times
 *               all else                             IDLE
 *     AWAIT     the acknowledgment                   IDLE
 *               the alarm                            BACKOFF, three times, then IDLE
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
};

enum state { IDLE, BACKOFF, SEND, AWAIT };

static struct {
    struct link_sending *sending;
    uint32_t left_us; /* of the backoff, behind the alarm */
    uint8_t state;    /* enum state */
    uint8_t exponent; /* of the next backoff */
    uint8_t looks;    /* at the channel that are left */
    uint8_t retries;  /* that are left */
    bool awaits;      /* the acknowledgment is awaited here */
} access;

EVENT_EXTERN(link_alarm);
static ALARM(alarm, link_alarm);

EVENT_EXTERN(link_sent);
static struct radio_transfer transfer = {
    .ended = &link_sent, .csma_retries = BACKOFFS, .exponent_most = EXPONENT_MOST};

/* -------- the end */

static void end(int error)
{
    access.state = IDLE;
    if ((link_state.listeners & LINK_LISTENS_ACK) != 0) {
        link_listen(LINK_LISTENS_ACK, false);
    }
    link_access_ended(error);
}

/* -------- backoff */

static void send(void)
{
    access.state = SEND;
    if (radio_send(&transfer) != 0) {
        end(ERR_IO);
    }
}

/* An alarm may be shorter than a backoff of a slow radio. */
static void go_on_backing_off(void)
{
    uint32_t us = access.left_us < ALARM_MAX_US ? access.left_us : ALARM_MAX_US;

    if (us == 0) {
        send();
        return;
    }
    access.left_us -= us;
    (void)!alarm_set(&alarm, us);
}

static void back_off(void)
{
    uint8_t periods = random_u32() & ((1u << access.exponent) - 1u);

    access.state = BACKOFF;
    access.left_us = (uint32_t)periods * BACKOFF_SYMBOLS * radio_facts.symbol_us;
    go_on_backing_off();
}

/* A child that has asked listens, and costs its battery, until it has its answer; and no other mote
 * answers it at the same time. So there is no backoff before the first look at the channel. */
static uint8_t exponent_least(void)
{
    return access.sending->is_polled ? 0 : EXPONENT_LEAST;
}

static void begin(void)
{
    access.exponent = exponent_least();
    access.looks = BACKOFFS;
    if ((transfer.flags & RADIO_CSMA) != 0) {
        send();
    } else {
        back_off();
    }
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
    access.state = AWAIT;
    (void)!alarm_set(&alarm,
                     (uint32_t)(RADIO_ANSWER_SYMBOLS + ACK_REST_SYMBOLS) * radio_facts.symbol_us +
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

EVENT(link_sent)
{
    uint8_t result = transfer.result;

    access.sending->sent = (uint8_t)(access.sending->sent + transfer.sent);
    access.sending->pending = transfer.pending;
    if (result == ERR_CHANNEL && (transfer.flags & RADIO_CSMA) == 0) {
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
        go_on_backing_off();
    } else if (access.state == AWAIT) {
        is_not_acknowledged();
    }
}

/* -------- from transmit.c */

void link_access(struct link_sending *sending)
{
    bool by_radio = link_radio_can(RADIO_CAN_CSMA) &&
                    (link_state.settings.flags & LINK_RECEIVES_IN_BACKOFF) == 0;
    bool acknowledged_by_radio = sending->wants_ack && link_radio_can(RADIO_CAN_RETRY);

    transfer.packet = sending->packet;
    transfer.flags =
        (by_radio ? RADIO_CSMA : RADIO_IF_CLEAR) | (acknowledged_by_radio ? RADIO_RETRY : 0);
    transfer.frame_retries = by_radio ? RETRIES : 0;
    access.sending = sending;
    transfer.exponent_least = exponent_least();
    access.awaits = sending->wants_ack && !acknowledged_by_radio;
    access.retries = sending->wants_ack && !(by_radio && acknowledged_by_radio) ? RETRIES : 0;
    if (access.awaits && (link_state.settings.flags & LINK_SLEEPS) != 0) {
        link_listen(LINK_LISTENS_ACK, true);
    }
    begin();
}

void link_access_give_up(void)
{
    access.looks = 0;
    access.retries = 0;
    if (access.state == BACKOFF || access.state == AWAIT) {
        (void)alarm_cancel(&alarm);
        end(ERR_CANCELLED);
    }
}
