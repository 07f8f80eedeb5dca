/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Radios: what all of them have in common (part.h). */
#include <lichen/radio.h>

#include <lichen/event.h>
#include <lichen/kernel.h>

#include "driver/radio/part.h"

enum {
    FCS_BYTES = 2,
    CSMA_RETRIES_MAX = 5,
    EXPONENT_MAX = 8,
    FRAME_RETRIES_MAX = 7,
    FAILURES = 3,        /* in a row, until the radio is left alone, */
    LEFT_ALONE_MS = 100, /* for so long at first, */
    DOUBLINGS_MAX = 9,   /* and then so many times twice as long at most */
};

struct radio radio_state;

void radio_note(uint16_t *counter)
{
    if (*counter != UINT16_MAX) {
        (*counter)++;
    }
}

static bool can(unsigned capabilities)
{
    return (radio_facts.capabilities & capabilities) == capabilities;
}

/* ---------------------------------------------------------------- settings */
static bool are_possible(const struct radio_settings *settings)
{
    unsigned flags = settings->flags;

    return settings->channel >= radio_facts.channel_first &&
           settings->channel <= radio_facts.channel_last && settings->rate < radio_facts.rates &&
           (!(flags & RADIO_FILTER) || can(RADIO_CAN_FILTER)) &&
           (!(flags & RADIO_ACKNOWLEDGE) || ((flags & RADIO_FILTER) && can(RADIO_CAN_ACKNOWLEDGE)));
}

static int set(void *settings_)
{
    const struct radio_settings *settings = settings_;

    if (!are_possible(settings)) {
        return ERR_INVALID;
    }
    radio_state.settings = *settings;
    radio_state.is_changed = true;
    radio_part_serve();
    return 0;
}

int radio_set(const struct radio_settings *settings)
{
    return kernel_run(set, (void *)(uintptr_t)settings);
}

void radio_measured(uint8_t result, int8_t dbm, bool is_clear)
{
    struct radio_measurement *measurement = radio_state.measurement;

    radio_state.has_measurement = false;
    if (measurement != 0) {
        radio_state.measurement = 0;
        measurement->result = result;
        measurement->dbm = dbm;
        measurement->is_clear = is_clear;
        measurement->active = false;
        if (measurement->ended != 0) {
            event_post(measurement->ended);
        }
    }
}

static int listen(void *listens)
{
    radio_state.listens = listens != 0;
    if (!radio_state.listens) {
        radio_measured(ERR_CANCELLED, 0, false);
    }
    radio_part_serve();
    return 0;
}

void radio_listen(bool listens)
{
    (void)kernel_run(listen, (void *)(uintptr_t)listens);
}

/* ---------------------------------------------------------------- sending */
static bool can_be_sent(const struct radio_transfer *transfer)
{
    unsigned flags = transfer->flags;
    uint16_t length = packet_length(transfer->packet);

    return length >= 1 && (unsigned)length + FCS_BYTES <= radio_facts.frame_bytes &&
           packet_flat(transfer->packet) != 0 && (!(flags & RADIO_HOLD) || can(RADIO_CAN_HOLD)) &&
           (!(flags & RADIO_CSMA) ||
            (can(RADIO_CAN_CSMA) && transfer->csma_retries <= CSMA_RETRIES_MAX &&
             transfer->exponent_most <= EXPONENT_MAX &&
             transfer->exponent_least <= transfer->exponent_most)) &&
           (!(flags & RADIO_RETRY) ||
            (can(RADIO_CAN_RETRY) && transfer->frame_retries <= FRAME_RETRIES_MAX));
}

static struct radio_transfer **end_of_list(void)
{
    struct radio_transfer **link = &radio_state.first;

    while (*link != 0) {
        link = &(*link)->next;
    }
    return link;
}

static int send(void *transfer_)
{
    struct radio_transfer *transfer = transfer_;

    if (transfer->active) {
        return ERR_BUSY;
    }
    if (!can_be_sent(transfer)) {
        return ERR_INVALID;
    }
    transfer->active = true;
    transfer->result = 0;
    transfer->sent = 0;
    transfer->pending = false;
    transfer->next = 0;
    *end_of_list() = transfer;
    radio_part_serve();
    return 0;
}

int radio_send(struct radio_transfer *transfer)
{
    return kernel_run(send, transfer);
}

static int go(void *transfer_)
{
    struct radio_transfer *transfer = transfer_;

    if (!transfer->active) {
        return ERR_EMPTY;
    }
    transfer->flags &= (uint8_t)~RADIO_HOLD;
    radio_part_serve();
    return 0;
}

int radio_go(struct radio_transfer *transfer)
{
    return kernel_run(go, transfer);
}

void radio_begins(void)
{
    struct event *begun = radio_state.first->begun;

    radio_state.is_sending = true;
    if (begun != 0) {
        event_post(begun);
    }
}

static void end(struct radio_transfer *transfer, uint8_t result)
{
    transfer->result = result;
    transfer->active = false;
    if (transfer->ended != 0) {
        event_post(transfer->ended);
    }
}

void radio_sent(uint8_t result)
{
    struct radio_transfer *transfer = radio_state.first;

    radio_state.is_sending = false;
    radio_state.has_transfer = false;
    if (transfer != 0) {
        radio_state.first = transfer->next;
        end(transfer, result);
    }
}

/* A frame that is being copied to the radio, or held there, is not sent: the driver looks whether
 * its transfer was cancelled before it sends. What it still copies may be anything. */
static int cancel(void *transfer_)
{
    struct radio_transfer *transfer = transfer_;
    struct radio_transfer **link = &radio_state.first;

    if (!transfer->active) {
        return ERR_EMPTY;
    }
    if (transfer == radio_state.first) {
        if (radio_state.is_sending) {
            return ERR_BUSY;
        }
        radio_state.is_cancelled = true;
        radio_part_serve();
    }
    while (*link != transfer) {
        link = &(*link)->next;
    }
    *link = transfer->next;
    end(transfer, ERR_CANCELLED);
    return 0;
}

int radio_cancel(struct radio_transfer *transfer)
{
    return kernel_run(cancel, transfer);
}

/* ---------------------------------------------------------------- receiving */
void radio_take(packet_t packet)
{
    radio_state.failures = 0;
    radio_state.received[radio_state.held++] = packet;
    radio_note(&radio_state.counters.received);
    event_post(&radio_received);
}

static int receive(void *packet)
{
    if (radio_state.held == 0) {
        return ERR_EMPTY;
    }
    if (radio_state.held == RADIO_QUEUE) {
        radio_part_serve();
    }
    *(packet_t *)packet = radio_state.received[0];
    radio_state.held--;
    for (uint8_t i = 0; i < radio_state.held; i++) {
        radio_state.received[i] = radio_state.received[i + 1];
    }
    return 0;
}

int radio_receive(packet_t *packet)
{
    return kernel_run(receive, packet);
}

/* ---------------------------------------------------------------- failures */
void radio_refuse_all(void)
{
    while (radio_state.first != 0) {
        radio_sent(ERR_IO);
    }
    radio_measured(ERR_IO, 0, false);
}

/* The first transfer is not the one that was under way, if that was cancelled. */
static void abandon(uint8_t error)
{
    if (radio_state.has_transfer && !radio_state.is_cancelled) {
        radio_sent(error);
    }
    radio_state.has_transfer = false;
    if (radio_state.has_measurement) {
        radio_measured(error, 0, false);
    }
}

uint32_t radio_failed(uint8_t error)
{
    abandon(error);
    radio_note(&radio_state.counters.restarts);
    if (radio_state.failures < UINT8_MAX) {
        radio_state.failures++;
    }
    if (radio_state.failures < FAILURES) {
        return 0;
    }
    uint8_t doublings = (uint8_t)(radio_state.failures - FAILURES);
    radio_refuse_all();
    return (uint32_t)LEFT_ALONE_MS << (doublings < DOUBLINGS_MAX ? doublings : DOUBLINGS_MAX);
}

/* ---------------------------------------------------------------- the rest */
static int measure(void *measurement_)
{
    struct radio_measurement *measurement = measurement_;

    if (radio_state.measurement != 0) {
        return ERR_BUSY;
    }
    if (!radio_state.listens) {
        return ERR_INVALID;
    }
    measurement->active = true;
    radio_state.measurement = measurement;
    radio_part_serve();
    return 0;
}

int radio_measure(struct radio_measurement *measurement)
{
    return kernel_run(measure, measurement);
}

static int copy(void *counters)
{
    *(struct radio_counters *)counters = radio_state.counters;
    return 0;
}

void radio_count(struct radio_counters *counters)
{
    (void)kernel_run(copy, counters);
}
