/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Frames for the MICA2's radio, whose bytes are moved one by one (lichen/radio.h). */
#ifndef BENCH_NETWORK_BYTES_H
#define BENCH_NETWORK_BYTES_H

#include <lichen/assert.h>
#include <lichen/packet.h>
#include <lichen/print.h>
#include <lichen/radio.h>
#include <lichen/semaphore.h>

#include "../kernel/mark.h"

/* The longest frame, to everybody, without its checksum. */
enum { HEADER_BYTES = 7, FRAME_BYTES = 125 };

static inline void set_radio(void)
{
    const struct radio_settings settings = {.channel = 1, .rate = TALK_RATE};
    int error = radio_set(&settings);

    assert(error == 0);
}

SEMAPHORE(ended, 0);

EVENT(transfer_ended)
{
    semaphore_post(&ended);
}

/* Sends frames one after the other.
 *
 *   frame_sent   one has been sent
 */
static inline void send_all_the_time(void)
{
    static const uint8_t header[HEADER_BYTES] = {0xff, 0xff, 0, 0, FRAME_BYTES - HEADER_BYTES};
    static struct radio_transfer transfer = {.ended = &transfer_ended};
    int error = packet_alloc(&transfer.packet, TEXT("bench"), 0, FRAME_BYTES);

    assert(error == 0);
    packet_write(transfer.packet, 0, header, HEADER_BYTES);
    set_radio();
    for (;;) {
        error = radio_send(&transfer);
        assert(error == 0);
        semaphore_wait(&ended);
        assert(transfer.result == 0);
        BENCH_MARK(frame_sent);
    }
}

#endif
