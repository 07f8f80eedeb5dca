/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Frames that arrive. A packet for one is allocated when its header is there, whose length it has;
 * until then the interrupt has room for the rest of the lead, 11 bytes or 2.3 ms at 38.4 kbit/s. */
#include "driver/radio/cc1000/air.h"
#include "driver/radio/cc1000/bytes.h"
#include "driver/radio/cc1000/driver.h"
#include "driver/radio/part.h"

#include <lichen/print.h>
#include <lichen/time.h>

static packet_t packet;
static uint64_t began_us; /* the end of the synchronization word */
static bool asks;         /* the last one is to be acknowledged */

/* The clock is read without waiting for it, so it is exact to a tick, and the bytes to one byte. */
static uint64_t start_of_frame(void)
{
    struct time_moment moment;
    uint16_t taken_us =
        (uint16_t)(cc1000_bytes_frame_taken() * air_byte_us(radio_state.settings.rate));

    time_known(&moment);
    return moment.s * TIME_US_PER_S + moment.us - taken_us;
}

static void drop(void)
{
    if (packet != PACKET_NONE) {
        packet_free(packet);
        packet = PACKET_NONE;
    }
}

static uint16_t destination(void)
{
    return (uint16_t)(cc1000_bytes_lead()[0] << 8 | cc1000_bytes_lead()[1]);
}

/* It is for this mote alone. */
static bool is_own(void)
{
    return destination() != BROADCAST && destination() == radio_state.settings.short_address;
}

static bool is_filtered(void)
{
    return (radio_state.settings.flags & RADIO_FILTER) && destination() != BROADCAST && !is_own();
}

static void begin(void)
{
    if (is_filtered()) {
        return;
    }
    if (radio_state.held == RADIO_QUEUE) {
        radio_note(&radio_state.counters.not_taken);
        return;
    }
    if (packet_alloc_receive(&packet, TEXT("radio"), cc1000_bytes_frame_length()) != 0) {
        packet = PACKET_NONE;
        radio_note(&radio_state.counters.no_packet);
        return;
    }
    if (cc1000_bytes_frame_length() > LEAD_BYTES) {
        cc1000_bytes_take_to(packet);
    }
    began_us = start_of_frame();
    int error = cc1000_channel_sample();
    (void)error;
}

/* Of another group, which is a PAN of TinyOS. */
static bool is_of_others(void)
{
    return (radio_state.settings.flags & RADIO_FILTER) &&
           cc1000_bytes_lead()[GROUP_AT] != (uint8_t)radio_state.settings.pan;
}

static bool is_intact(uint8_t length)
{
    uint8_t covered = (uint8_t)(length - CRC_BYTES);
    uint16_t expected = cc1000_bytes_crc(packet, covered);
    const uint8_t *crc = packet_flat(packet) + covered;

    return crc[0] == (uint8_t)expected && crc[1] == (uint8_t)(expected >> 8);
}

static void hand_on(void)
{
    struct packet_attributes *attributes = packet_attributes(packet);

    asks = (radio_state.settings.flags & RADIO_ACKNOWLEDGE) && is_own();
    packet_trim_back(packet, CRC_BYTES);
    attributes->time_us = began_us;
    attributes->dbm = cc1000_channel_dbm();
    attributes->channel = radio_state.settings.channel;
    radio_take(packet);
    packet = PACKET_NONE;
}

static void end(void)
{
    uint8_t length = cc1000_bytes_frame_length();

    if (packet == PACKET_NONE) {
        return;
    }
    packet_write(packet, 0, cc1000_bytes_lead(), length < LEAD_BYTES ? length : LEAD_BYTES);
    if (!is_intact(length)) {
        radio_note(&radio_state.counters.corrupted);
        drop();
    } else if (is_of_others()) {
        drop();
    } else {
        hand_on();
    }
}

/* Of a frame that was refused, the rest is lost, too; that is no other loss. */
static void lose(void)
{
    if (packet != PACKET_NONE) {
        radio_note(&radio_state.counters.overflowed);
        drop();
    }
}

void cc1000_receive_step(void)
{
    if (cc1000_bytes_has_happened(BYTES_HEAD)) {
        begin();
    }
    if (cc1000_bytes_has_happened(BYTES_FRAME)) {
        end();
        cc1000_bytes_release();
    }
    if (cc1000_bytes_has_happened(BYTES_LOST)) {
        lose();
        cc1000_bytes_release();
    }
    if (cc1000_bytes_has_happened(BYTES_WRONG)) {
        radio_note(&radio_state.counters.corrupted);
    }
    if (cc1000_bytes_has_happened(BYTES_MISSED)) {
        radio_note(&radio_state.counters.overflowed);
    }
}

bool cc1000_receive_asks_acknowledgment(void)
{
    bool asked = asks;

    asks = false;
    return asked;
}

/* What the interrupt told before it was stopped is looked at once more. */
void cc1000_receive_stop(void)
{
    cc1000_receive_step();
    asks = false;
    drop();
}
