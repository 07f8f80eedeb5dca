/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "fake_radio.h"

#include <string.h>

#include <lichen/print.h>
#include <lichen/time.h>
#include <lichen/timer.h>

enum { TRANSFERS = 3, ACK_REQUEST = 0x20, ACK_BYTES = 3, USUAL_US = 2000 };

struct fake fake;

static packet_t waiting[RADIO_QUEUE];
static uint8_t waiting_count;
static struct radio_transfer *transfers[TRANSFERS];
static uint8_t transfer_count;

EVENT_EXTERN(fake_sent_one);
static TIMER(on_air, fake_sent_one);

void fake_renew(void)
{
    fake.fate_count = 0;
    fake.lost = 0;
    fake.answers_never = false;
    fake.air_us = USUAL_US;
    fake.dbm = -60;
    fake.lqi = 200;
}

void fake_plan(uint8_t fate)
{
    fake.fates[fake.fate_count++] = fate;
}

const struct fake_frame *fake_sent(uint16_t before)
{
    return &fake.last[(uint16_t)(fake.sent - 1u - before) % FAKE_SENT];
}

static uint8_t next_fate(void)
{
    if (fake.fate_count == 0) {
        return FAKE_ARRIVES;
    }
    uint8_t fate = fake.fates[0];
    fake.fate_count--;
    memmove(fake.fates, fake.fates + 1, fake.fate_count);
    return fate;
}

static void remember(const struct radio_transfer *transfer)
{
    struct fake_frame *frame = &fake.last[fake.sent % FAKE_SENT];

    frame->length = (uint8_t)packet_length(transfer->packet);
    frame->transfer_flags = transfer->flags;
    frame->flags = fake.settings.flags;
    packet_read(transfer->packet, 0, frame->bytes, frame->length);
    fake.ended_us = time_now_us();
    fake.sent++;
}

static bool can(unsigned capability)
{
    return (radio_facts.capabilities & capability) != 0;
}

/* Somebody's acknowledgment, which this radio does not take for itself: it is a frame like others,
 * comes behind the end of the transfer, and is lost if the radio sleeps. */
static void acknowledge(uint8_t fate)
{
    const struct fake_frame *frame = fake_sent(0);

    if (fake.listens && (frame->bytes[0] & ACK_REQUEST) != 0 && fate <= FAKE_ANNOUNCES) {
        uint8_t ack[ACK_BYTES] = {fate == FAKE_ANNOUNCES ? 0x12 : 0x02, 0, frame->bytes[2]};
        (void)fake_receive(ack, sizeof(ack));
    }
}

static void begin(void)
{
    if (transfers[0]->begun != 0) {
        event_post(transfers[0]->begun);
    }
    (void)!timer_arm_after(&on_air, fake.air_us);
}

/* What a radio that retries by itself makes of a fate: each attempt has its own. */
static void end_with_retries(struct radio_transfer *transfer)
{
    uint8_t fate;

    transfer->sent = 0;
    do {
        fate = next_fate();
        transfer->sent++;
    } while (fate == FAKE_UNACKNOWLEDGED && transfer->sent <= transfer->frame_retries);
    transfer->result = fate == FAKE_UNACKNOWLEDGED ? ERR_NO_ACK : 0;
    transfer->pending = fate == FAKE_ANNOUNCES;
    if (fate == FAKE_BUSY) {
        transfer->result = ERR_CHANNEL;
        transfer->sent--;
    } else if (fate == FAKE_FAILS) {
        transfer->result = ERR_IO;
    } else {
        remember(transfer);
    }
}

static uint8_t end_one(struct radio_transfer *transfer)
{
    bool asks_channel = (transfer->flags & (RADIO_CSMA | RADIO_IF_CLEAR)) != 0;
    uint8_t fate = asks_channel ? next_fate() : FAKE_ARRIVES;

    transfer->result = fate == FAKE_BUSY ? ERR_CHANNEL : fate == FAKE_FAILS ? ERR_IO : 0;
    transfer->sent = transfer->result == 0;
    transfer->pending = false;
    if (transfer->result == 0) {
        remember(transfer);
    }
    return fate;
}

EVENT(fake_sent_one)
{
    struct radio_transfer *transfer = transfers[0];
    uint8_t fate = FAKE_UNACKNOWLEDGED;

    transfer_count--;
    memmove(transfers, transfers + 1, transfer_count * sizeof(transfers[0]));
    if ((transfer->flags & RADIO_RETRY) != 0) {
        end_with_retries(transfer);
    } else {
        fate = end_one(transfer);
    }
    transfer->active = false;
    event_post(transfer->ended);
    acknowledge(fate);
    if (transfer_count > 0) {
        begin();
    }
}

bool fake_hold(const void *bytes, uint8_t length)
{
    packet_t packet;

    if (waiting_count == RADIO_QUEUE || packet_alloc_receive(&packet, TEXT("fake"), length) != 0) {
        fake.lost++;
        return false;
    }
    packet_write(packet, 0, bytes, length);
    packet_attributes(packet)->flags = fake.answers_never ? 0 : RADIO_ANSWERS;
    packet_attributes(packet)->dbm = fake.dbm;
    packet_attributes(packet)->lqi = fake.lqi;
    waiting[waiting_count++] = packet;
    return true;
}

bool fake_receive(const void *bytes, uint8_t length)
{
    bool is_held = fake_hold(bytes, length);

    if (is_held) {
        event_post(&radio_received);
    }
    return is_held;
}

/* -------- lichen/radio.h */

static int set(void *settings)
{
    fake.settings = *(const struct radio_settings *)settings;
    return 0;
}

int radio_set(const struct radio_settings *settings)
{
    uint8_t needs = (settings->flags & RADIO_FILTER ? RADIO_CAN_FILTER : 0) |
                    (settings->flags & RADIO_ACKNOWLEDGE ? RADIO_CAN_ACKNOWLEDGE : 0);

    if (settings->channel < radio_facts.channel_first ||
        settings->channel > radio_facts.channel_last ||
        (radio_facts.capabilities & needs) != needs) {
        return ERR_INVALID;
    }
    return kernel_run(set, (void *)(uintptr_t)settings);
}

void radio_listen(bool listens)
{
    fake.listens = listens;
}

static int send(void *transfer_)
{
    struct radio_transfer *transfer = transfer_;

    if (transfer->active) {
        return ERR_BUSY;
    }
    if (((transfer->flags & RADIO_CSMA) != 0 && !can(RADIO_CAN_CSMA)) ||
        ((transfer->flags & RADIO_RETRY) != 0 && !can(RADIO_CAN_RETRY)) ||
        transfer_count == TRANSFERS) {
        return ERR_INVALID;
    }
    transfer->active = true;
    fake.asked_us = time_now_us();
    transfers[transfer_count++] = transfer;
    if (transfer_count == 1) {
        begin();
    }
    return 0;
}

int radio_send(struct radio_transfer *transfer)
{
    if (fake.counter != 0) {
        fake.begun_count = *fake.counter;
    }
    return kernel_run(send, transfer);
}

int radio_go(struct radio_transfer *transfer)
{
    return transfer->active ? 0 : ERR_EMPTY;
}

int radio_cancel(struct radio_transfer *transfer)
{
    return transfer->active ? ERR_BUSY : ERR_EMPTY;
}

static int receive(void *packet)
{
    if (waiting_count == 0) {
        return ERR_EMPTY;
    }
    *(packet_t *)packet = waiting[0];
    waiting_count--;
    memmove(waiting, waiting + 1, waiting_count);
    return 0;
}

int radio_receive(packet_t *packet)
{
    return kernel_run(receive, packet);
}

int radio_measure(struct radio_measurement *measurement)
{
    (void)measurement;
    return ERR_INVALID;
}

void radio_count(struct radio_counters *counters)
{
    *counters = (struct radio_counters){
        .corrupted = FAKE_COUNTED,
        .overflowed = FAKE_COUNTED + 1,
        .no_packet = FAKE_COUNTED + 2,
        .not_taken = (uint16_t)(FAKE_COUNTED + 3 + fake.lost),
        .channel_busy = FAKE_COUNTED + 4,
        .not_acknowledged = FAKE_COUNTED + 5,
        .underrun = FAKE_COUNTED + 6,
        .restarts = FAKE_COUNTED + 7,
    };
}
