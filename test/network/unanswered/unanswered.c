/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sends frames to a mote that does not exist, while its radio fails now and then: whatever the
 * driver reads from a radio that is gone, nobody has acknowledged them. */
#include <lichen/assert.h>
#include <lichen/print.h>
#include <lichen/radio.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

enum { LASTS_MS = 3000, PAN = 0x22, CHANNEL = 26 };

EVENT(radio_received)
{
    packet_t packet;

    while (radio_receive(&packet) == 0) {
        packet_free(packet);
    }
}

SEMAPHORE(ended, 0);

EVENT(frame_ended)
{
    semaphore_post(&ended);
}

static struct radio_transfer sending = {.ended = &frame_ended,
                                        .flags = RADIO_IF_CLEAR | RADIO_RETRY};
static const uint8_t frame[] = {0x61, 0x88, 0, PAN, 0, 0x99, 0x99, 1, 0};

THREAD(unanswered, 512, PRIORITY_APP)
{
    const struct radio_settings settings = {.channel = CHANNEL, .pan = PAN, .short_address = 1};
    uint64_t end = time_now_us() + LASTS_MS * TIME_US_PER_MS;
    unsigned acknowledged = 0;
    unsigned failed = 0;

    int error = radio_set(&settings);
    assert(error == 0);
    error = packet_alloc(&sending.packet, TEXT("unanswered"), 0, sizeof(frame));
    assert(error == 0);
    packet_write(sending.packet, 0, frame, sizeof(frame));
    while (time_now_us() < end) {
        error = radio_send(&sending);
        assert(error == 0);
        semaphore_wait(&ended);
        acknowledged += sending.result == 0;
        failed += sending.result != 0 && sending.result != ERR_NO_ACK;
    }
    print("%s failed, %u acknowledged\n", failed > 10 ? "many" : "few", acknowledged);
}
