/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Frames that the AT86RF233 has received, and noise.
 *
 * The radio interrupts once for each, at its end, and keeps it until it has been read (safe mode).
 * Its start follows from the time of the interrupt and the frame's length. So nothing has to be
 * done while a frame arrives, and a frame that the radio's filter rejects costs nothing.
 */
#include "driver/radio/at86rf233/access.h"
#include "driver/radio/at86rf233/air.h"
#include "driver/radio/at86rf233/driver.h"
#include "driver/radio/at86rf233/registers.h"
#include "driver/radio/part.h"

#include "base/noise.h"
#include "chip/radio_line.h"

#include <lichen/print.h>

enum {
    NOISE_BITS = 32,
};

static packet_t packet; /* what is read into, with what follows the frame */
static uint8_t psdu;    /* its length with its FCS */

/* A packet for a frame of `psdu` bytes, or PACKET_NONE. */
static packet_t packet_for_frame(void)
{
    packet_t fresh;

    if (psdu <= FCS_BYTES) {
        radio_note(&radio_state.counters.corrupted);
    } else if (radio_state.held == RADIO_QUEUE) {
        radio_note(&radio_state.counters.not_taken);
    } else if (packet_alloc_receive(&fresh, TEXT("radio"), (uint16_t)(psdu + ACCESS_END_BYTES)) !=
               0) {
        radio_note(&radio_state.counters.no_packet);
    } else {
        return fresh;
    }
    return PACKET_NONE;
}

enum receive_outcome at86rf233_receive_begin(void)
{
    uint8_t interrupts = at86rf233_access_read(IRQ_STATUS);

    if (!(interrupts & IRQ_TRX_END)) {
        radio_line_enable();
        return interrupts != 0 ? RECEIVE_ENDED : RECEIVE_UNSOUND;
    }
    psdu = at86rf233_access_read_length();
    if (at86rf233_times_take != 0) {
        at86rf233_times_take((uint32_t)LATENCY_US + air_us(psdu, radio_state.settings.rate));
    }
    radio_line_enable();
    packet = packet_for_frame();
    if (packet == PACKET_NONE) {
        at86rf233_access_read_no_more();
        return RECEIVE_ENDED;
    }
    at86rf233_access_read_bytes(packet_flat(packet), (uint8_t)(psdu + ACCESS_END_BYTES));
    return RECEIVE_MOVES;
}

void at86rf233_receive_end(void)
{
    struct packet_attributes *attributes = packet_attributes(packet);
    const uint8_t *end = packet_flat(packet) + psdu; /* LQI, ED and RX_STATUS */

    if (!(end[2] & RX_CRC_VALID)) {
        radio_note(&radio_state.counters.corrupted);
        at86rf233_receive_abandon();
        return;
    }
    attributes->dbm = (int8_t)(ED_BASE_DBM + end[1]);
    attributes->lqi = end[0];
    attributes->channel = radio_state.settings.channel;
    packet_trim_back(packet, FCS_BYTES + ACCESS_END_BYTES);
    if (at86rf233_times_note != 0) {
        at86rf233_times_note(packet, true);
    }
    radio_take(packet);
    packet = PACKET_NONE;
}

void at86rf233_receive_abandon(void)
{
    if (packet != PACKET_NONE) {
        packet_free(packet);
        packet = PACKET_NONE;
    }
}

/* For programs that draw no random numbers. */
bool at86rf233_receive_noise_never(void)
{
    return false;
}

/* Two bits at a time, others every microsecond, in RX_ON with the detector of preambles (data
 * sheet, "Random Number Generator"), and without what saves current. A frame that is detected
 * meanwhile is cut off: it would not be filtered. */
bool at86rf233_receive_noise_once(void)
{
    static bool is_added;
    uint32_t noise = 0;

    if (is_added) {
        return false;
    }
    at86rf233_setup_save(false);
    at86rf233_access_write(TRX_STATE, RX_ON);
    for (uint8_t bits = 0; bits < NOISE_BITS; bits += PHY_RSSI_RND_VALUE_BITS) {
        uint8_t value = at86rf233_access_read(PHY_RSSI) >> PHY_RSSI_RND_VALUE_Pos;
        noise = noise << PHY_RSSI_RND_VALUE_BITS | (value & PHY_RSSI_RND_VALUE_Msk);
    }
    at86rf233_access_write(TRX_STATE, FORCE_PLL_ON);
    at86rf233_setup_save(true);
    random_noise(noise);
    is_added = true;
    return true;
}
