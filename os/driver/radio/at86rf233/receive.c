/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Frames that the AT86RF233 has received.
 *
 * The radio interrupts once for each, at its end, and keeps it until it has been read (safe mode).
 * Its start follows from the time of the interrupt and the frame's length. So nothing has to be
 * done while a frame arrives, and a frame that the radio's filter rejects costs nothing.
 *
 * A packet has room for the longest frame when the reading begins, because the frame's length is
 * known only then, and is cut to its length afterwards.
 */
#include "driver/radio/at86rf233/access.h"
#include "driver/radio/at86rf233/air.h"
#include "driver/radio/at86rf233/driver.h"
#include "driver/radio/at86rf233/registers.h"
#include "driver/radio/part.h"

#include "chip/radio_line.h"

#include <lichen/print.h>

static packet_t packet; /* what is read into */
static bool is_refused; /* there was none */

void receive_begin(void)
{
    is_refused = false;
    packet = PACKET_NONE;
    if (radio.held < RADIO_QUEUE) {
        is_refused =
            packet_alloc_receive(&packet, TEXT("radio"), PACKET_FRAME_BYTES - FCS_BYTES) != 0;
    }
    (void)access_read(IRQ_STATUS);
    access_read_frame(packet);
}

static void hand_on(uint8_t length)
{
    const struct access_end *end = access_frame_end();
    struct packet_attributes *attributes = packet_attributes(packet);

    packet_trim_back(packet, (uint16_t)(PACKET_FRAME_BYTES - length));
    attributes->time_us =
        radio_line_time((uint32_t)LATENCY_US + air_us(length, radio.settings.rate));
    attributes->dbm = (int8_t)(ED_BASE_DBM + end->ed);
    attributes->lqi = end->lqi;
    attributes->channel = radio.settings.channel;
    radio_take(packet);
    packet = PACKET_NONE;
}

/* A frame of a length that is none, or with a wrong FCS, is of no use. */
static void take(uint8_t length)
{
    if (packet == PACKET_NONE) {
        radio_note(is_refused ? &radio.counters.no_packet : &radio.counters.not_taken);
    } else if (length <= FCS_BYTES || !(access_frame_end()->rx_status & RX_CRC_VALID)) {
        radio_note(&radio.counters.corrupted);
    } else {
        hand_on(length);
    }
}

bool receive_end(void)
{
    uint8_t status = access_value(0);

    if (status & IRQ_TRX_END) {
        take(access_frame_length());
    }
    receive_abandon();
    return status != 0;
}

void receive_abandon(void)
{
    if (packet != PACKET_NONE) {
        packet_free(packet);
        packet = PACKET_NONE;
    }
}
