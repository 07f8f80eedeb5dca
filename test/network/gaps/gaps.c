/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Listens to one sender. From a frame's beginning and its length follow its end and that of its
 * acknowledgment, which this mote may be too slow to hear; the next frame begins a gap later: 40
 * symbols behind a frame of more than 18 bytes, else 12 (802.15.4-2015, 6.2.4). */
#include <lichen/print.h>
#include <lichen/radio.h>
#include <lichen/thread.h>

#include "../numbered.h"

enum {
    BYTE_US = 32,
    FCS_BYTES = 2,
    PREAMBLE_US = 160, /* with the SFD, of whose end the time is known */
    ACK_US = 192 + 352,
    LIFS_US = 640,
    SIFS_US = 192,
    SHORT_BYTES = 18,
    ERROR_US = 4, /* of a difference of two times */
    LISTENS_MS = 6000,
};

static struct {
    unsigned count;
    unsigned least_us;
    unsigned too_short;
} gaps[2]; /* behind long frames, and short ones */

static uint64_t clear_us; /* when the last frame, or its acknowledgment, ended; 0: not known */
static uint8_t last_bytes;

static void note_gap(uint64_t begun_us)
{
    bool is_short = last_bytes <= SHORT_BYTES;
    unsigned us = begun_us > clear_us ? (unsigned)(begun_us - clear_us) : 0;
    unsigned i = is_short;

    gaps[i].count++;
    gaps[i].least_us = gaps[i].count == 1 || us < gaps[i].least_us ? us : gaps[i].least_us;
    gaps[i].too_short += us + ERROR_US < (is_short ? SIFS_US : LIFS_US);
}

static void hear(packet_t packet)
{
    uint64_t us = packet_time_us(packet);
    uint16_t bytes = (uint16_t)(packet_length(packet) + FCS_BYTES);
    bool is_acknowledged = (*packet_flat(packet) & 1 << 5) != 0;

    if (clear_us != 0 && us != 0) {
        note_gap(us - PREAMBLE_US);
    }
    clear_us = us == 0 ? 0 : us + (1u + bytes) * BYTE_US + (is_acknowledged ? ACK_US : 0);
    last_bytes = (uint8_t)bytes;
}

/* Acknowledgments are left out. */
EVENT(radio_received)
{
    packet_t packet;

    while (radio_receive(&packet) == 0) {
        if (packet_length(packet) > 3) {
            hear(packet);
        }
        packet_free(packet);
    }
}

THREAD(gaps_thread, 512, PRIORITY_APP)
{
    const struct radio_settings settings = {.channel = radio_facts.channel_last,
                                            .dbm = radio_facts.dbm_least,
                                            .short_address = UINT16_MAX};

    if (radio_set(&settings) != 0) {
        print("not set\n");
    }
    radio_listen(true);
    sleep_ms(LISTENS_MS);
    for (unsigned i = 0; i < 2; i++) {
        print("%s: %s, %u too short\n", i == 0 ? "long" : "short",
              gaps[i].count >= 150 ? "many" : "few", gaps[i].too_short);
        print("the shortest of %u: %u us\n", gaps[i].count, gaps[i].least_us);
    }
}
