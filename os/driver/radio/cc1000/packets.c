/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The CC1000 for programs that use lichen/radio.h themselves: frames as packets. They are copied
 * between the driver's frames and packets, in 1,400 cycles at the most, at the kernel level. */
#include "driver/radio/cc1000/wiring.h"

#include <lichen/error.h>
#include <lichen/print.h>
#include <lichen/random.h>
#include <lichen/time.h>

#include "driver/radio/cc1000/frames.h"
#include "driver/radio/part.h"

enum {
    BACKOFF_BYTES = 8, /* a unit of a backoff */
};

CC1000_USER(cc1000_packets);

/* The frame that arrives or, from the turn of the part to its end, leaves: the part does one of
 * both, and no frame arrives when its turn begins. */
static uint8_t bytes[FRAME_BYTES_MAX];
static bool has_room; /* the driver has it */

static struct {
    uint8_t frame_retries; /* that are left */
    uint8_t csma_retries;
    uint8_t exponent;
    uint8_t units; /* of the present backoff */
    bool was_busy;
    bool measures; /* what is under way is a measurement, not the first transfer */
} attempt;

void cc1000_serve(void)
{
    if (radio_state.is_changed) {
        radio_state.is_changed = false;
        cc1000_settings.channel = radio_state.settings.channel;
        cc1000_settings.rate = radio_state.settings.rate;
        cc1000_settings.dbm = radio_state.settings.dbm;
        cc1000_settings.is_changed = true;
    }
    if (!has_room) {
        has_room = true;
        cc1000_receive_into(bytes, PAYLOAD_MAX);
    }
    cc1000_settings.listens = radio_state.listens;
    cc1000_driver_serve();
}

/* ---------------------------------------------------------------- sending */
static bool is_valid(packet_t packet, uint8_t *header)
{
    uint16_t length = packet_length(packet);

    if (length < HEADER_BYTES) {
        return false;
    }
    packet_read(packet, 0, header, HEADER_BYTES);
    return length == (unsigned)header[LENGTH_AT] + HEADER_BYTES;
}

static uint8_t flags_of(const struct radio_transfer *transfer, const uint8_t *header)
{
    bool to_all = (header[0] & header[1]) == 0xff;

    return (transfer->flags & RADIO_CSMA ? CC1000_BACKS_OFF : 0) |
           (transfer->flags & RADIO_IF_CLEAR ? CC1000_LOOKS : 0) |
           (transfer->flags & RADIO_RETRY && !to_all ? CC1000_AWAITS : 0);
}

static void prepare(const struct radio_transfer *transfer, const uint8_t *header)
{
    cc1000_frame.head = bytes;
    cc1000_frame.head_length = HEADER_BYTES;
    cc1000_frame.payload = bytes + HEADER_BYTES;
    cc1000_frame.payload_length = header[LENGTH_AT];
    cc1000_frame.flags = flags_of(transfer, header);
    attempt.frame_retries = transfer->frame_retries;
    attempt.was_busy = false;
    radio_state.has_transfer = true;
}

/* A measurement comes first. */
bool cc1000_packets_next(void)
{
    uint8_t header[HEADER_BYTES];

    attempt.measures = radio_state.measurement != 0;
    if (attempt.measures) {
        cc1000_frame.flags = CC1000_MEASURES;
        return true;
    }
    radio_state.is_cancelled = false;
    radio_state.has_transfer = false;
    while (radio_state.first != 0) {
        if (is_valid(radio_state.first->packet, header)) {
            prepare(radio_state.first, header);
            return true;
        }
        radio_sent(ERR_INVALID);
    }
    return false;
}

/* Behind a busy channel it goes on; else, an acknowledgment in between included, it begins anew. */
static void begin_backoff(const struct radio_transfer *transfer)
{
    if (!attempt.was_busy) {
        attempt.csma_retries = transfer->csma_retries;
        attempt.exponent = transfer->exponent_least;
    }
    attempt.was_busy = false;
    attempt.units = (uint8_t)(random_u32() & ((1u << attempt.exponent) - 1));
}

uint8_t cc1000_packets_waits(bool begins)
{
    if (radio_state.is_cancelled) {
        return 0;
    }
    if (begins) {
        begin_backoff(radio_state.first);
        return 1;
    }
    if (attempt.units == 0) {
        return 0;
    }
    attempt.units--;
    return BACKOFF_BYTES;
}

bool cc1000_packets_goes(void)
{
    if (radio_state.is_cancelled) {
        return false;
    }
    radio_state.is_sending = true;
    packet_read(radio_state.first->packet, 0, bytes, packet_length(radio_state.first->packet));
    return true;
}

/* Some bytes more than the packet's have passed since the start of its frame. */
static void note_time(packet_t packet, uint8_t more)
{
    if (cc1000_times_note != 0) {
        uint16_t length = (uint16_t)(packet_length(packet) + CRC_BYTES + more);
        cc1000_times_note(packet, (uint32_t)length * air_byte_us(cc1000_settings.rate));
    }
}

/* When its last byte was on the air, two more had been handed over. */
void cc1000_packets_left(void)
{
    struct radio_transfer *transfer = radio_state.first;

    note_time(transfer->packet, 1);
    transfer->sent++;
    radio_note(&radio_state.counters.sent);
}

static bool is_tried_again(const struct radio_transfer *transfer, uint8_t result)
{
    if (result == ERR_CHANNEL && transfer->flags & RADIO_CSMA && attempt.csma_retries > 0) {
        attempt.csma_retries--;
        attempt.exponent += attempt.exponent < transfer->exponent_most;
        attempt.was_busy = true;
        return true;
    }
    if (result == ERR_NO_ACK && attempt.frame_retries > 0) {
        attempt.frame_retries--;
        return true;
    }
    return false;
}

bool cc1000_packets_sent(uint8_t result)
{
    if (attempt.measures) {
        bool is_done = result == 0 || result == ERR_CHANNEL;
        radio_measured(is_done ? 0 : result, cc1000_channel_dbm(), result == 0);
        return false;
    }
    radio_state.is_sending = false;
    if (radio_state.is_cancelled || !radio_state.has_transfer) {
        return false;
    }
    if (is_tried_again(radio_state.first, result)) {
        return true;
    }
    if (result == ERR_CHANNEL) {
        radio_note(&radio_state.counters.channel_busy);
    } else if (result == ERR_NO_ACK) {
        radio_note(&radio_state.counters.not_acknowledged);
    }
    radio_sent(result);
    return false;
}

/* ---------------------------------------------------------------- receiving */
static uint16_t destination(void)
{
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

/* It is for this mote alone. */
static bool is_own(void)
{
    return destination() != BROADCAST && destination() == radio_state.settings.short_address;
}

/* For others, or of another group, which is a PAN of TinyOS. */
static bool is_filtered(void)
{
    return (radio_state.settings.flags & RADIO_FILTER) &&
           ((destination() != BROADCAST && !is_own()) ||
            bytes[GROUP_AT] != (uint8_t)radio_state.settings.pan);
}

/* Returns whether it was taken. */
static bool hand_on(void)
{
    uint8_t length = (uint8_t)(bytes[LENGTH_AT] + HEADER_BYTES);
    packet_t packet;

    if (radio_state.held == RADIO_QUEUE) {
        radio_note(&radio_state.counters.not_taken);
        return false;
    }
    if (packet_alloc_receive(&packet, TEXT("radio"), length) != 0) {
        radio_note(&radio_state.counters.no_packet);
        return false;
    }
    packet_write(packet, 0, bytes, length);
    note_time(packet, 0);
    packet_attributes(packet)->dbm = cc1000_channel_dbm();
    packet_attributes(packet)->channel = radio_state.settings.channel;
    radio_take(packet);
    return true;
}

bool cc1000_packets_received(uint8_t *frame)
{
    bool is_taken = !is_filtered() && hand_on();

    cc1000_receive_into(frame, PAYLOAD_MAX);
    return is_taken && (radio_state.settings.flags & RADIO_ACKNOWLEDGE) && is_own();
}

void cc1000_packets_note(uint8_t loss)
{
    struct radio_counters *counters = &radio_state.counters;

    switch ((enum cc1000_loss)loss) {
    case CC1000_CORRUPTED:
    case CC1000_TOO_LONG:
        radio_note(&counters->corrupted);
        break;
    case CC1000_OVERFLOWED:
        radio_note(&counters->overflowed);
        break;
    case CC1000_UNDERRUN:
        radio_note(&counters->underrun);
        break;
    default:
        radio_note(&counters->restarts);
        break;
    }
}
