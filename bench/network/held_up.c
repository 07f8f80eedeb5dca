/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A mote receives frames without a pause, and its link has a timer, while a more urgent thread
 * keeps the link's own threads from running, for longer than all queues have room for.
 */
#include <lichen/radio.h>
#include <lichen/thread.h>

#include "talk.h"

enum { HOLD_FRAMES = 20, REST_FRAMES = 12, TURNS = 20, POLL_FRAMES = 7 };

/* So many times that of the longest frame. */
static uint32_t ms_of_frames(uint8_t frames)
{
    return (uint32_t)frames * PACKET_FRAME_BYTES * radio_facts.byte_us / 1000u;
}

LINK_RECEIVER(received, 3);
LINK_THREADS(LINK_MAIN_STACK, LINK_TX_STACK);

THREAD(receiver, TALK_STACK, PRIORITY_APP)
{
    struct link_info info;
    packet_t packet;

    for (;;) {
        int error = link_receive(&received, &info, &packet, TIME_NEVER);
        assert(error == 0);
        packet_free(packet);
    }
}

static void hold(void)
{
    uint64_t end = time_now_us() + ms_of_frames(HOLD_FRAMES) * TIME_US_PER_MS;

    while (time_now_us() < end) {
    }
}

THREAD(holder, TALK_STACK, PRIORITY_MAX)
{
    struct link_address peer = link_short(PEER);

    open_link();
    int error = link_poll(&peer, ms_of_frames(POLL_FRAMES));
    assert(error == 0);
    for (uint8_t i = 0; i < TURNS; i++) {
        hold();
        sleep_ms(ms_of_frames(REST_FRAMES));
    }
}
