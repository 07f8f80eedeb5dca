/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sends frames without a look at the channel, at all moments of those that it receives and
 * acknowledges. They may collide; its radio must not be taken for one that has failed. */
#include <lichen/alarm.h>
#include <lichen/assert.h>
#include <lichen/print.h>
#include <lichen/radio.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>

#include "../numbered.h"

enum { FRAMES = 1000, PAUSE_US = 1013, LISTENS_MS = 210, PAN = 0x22 };

static uint16_t received;

EVENT(radio_received)
{
    packet_t packet;

    while (radio_receive(&packet) == 0) {
        received++;
        packet_free(packet);
    }
}

SEMAPHORE(ended, 0);

EVENT(frame_ended)
{
    semaphore_post(&ended);
}

static struct radio_transfer sending = {.ended = &frame_ended};

/* Data from here to nobody. */
static const uint8_t frame[] = {0x41, 0x88, 0, PAN, 0, 0x99, 0x99, OTHER, 0};

THREAD(at_once, 512, PRIORITY_APP)
{
    const struct radio_settings settings = {.channel = 26,
                                            .pan = PAN,
                                            .short_address = OTHER,
                                            .flags = RADIO_FILTER | RADIO_ACKNOWLEDGE};
    struct radio_counters counters;
    uint16_t failed = 0;

    int error = radio_set(&settings);
    assert(error == 0);
    radio_listen(true);
    error = packet_alloc(&sending.packet, TEXT("at once"), 0, sizeof(frame));
    assert(error == 0);
    packet_write(sending.packet, 0, frame, sizeof(frame));
    sleep_ms(LISTENS_MS);
    for (unsigned i = 0; i < FRAMES; i++) {
        error = radio_send(&sending);
        assert(error == 0);
        semaphore_wait(&ended);
        failed += sending.result != 0;
        sleep_exact_us(PAUSE_US + i);
    }
    radio_count(&counters);
    print("%s received, %u failed, %u restarts\n", received >= 100 ? "many" : "few", failed,
          counters.restarts);
}
