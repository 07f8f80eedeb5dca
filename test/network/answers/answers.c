/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Which acknowledgments a radio takes for those of its last frame (RADIO_ANSWERS): those that begin
 * within 76 symbols behind it. Another mote (late.c) sends them behind a frame that calls it, each
 * time a little later; this one sends the frame that they may answer meanwhile.
 */
#include <lichen/alarm.h>
#include <lichen/packet.h>
#include <lichen/print.h>
#include <lichen/radio.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "../late.h"

enum {
    FRAME_BYTES = 9,
    PSDU = FRAME_BYTES + 2,
    SFD_US = (PSDU + 1) * 32, /* from its beginning, of which the time is known, to its end */
    LIMIT_US = RADIO_ANSWER_SYMBOLS * 16,
    ERROR_US = 8, /* of a difference of two times */
    NEAR_US = 60,
    PAUSE_MS = 30,
    SETTLE_MS = 500,
};

static uint64_t ended_us; /* when the last frame did; 0: not known */
static unsigned near_before, near_behind, wrong;

static void look(uint64_t begun_us, bool answers)
{
    int32_t behind_us = (int32_t)(begun_us - ended_us);

    if (behind_us <= LIMIT_US - ERROR_US) {
        near_before += behind_us > LIMIT_US - NEAR_US;
        wrong += !answers;
    } else if (behind_us >= LIMIT_US + ERROR_US) {
        near_behind += behind_us < LIMIT_US + NEAR_US;
        wrong += answers;
    }
}

EVENT(radio_received)
{
    packet_t packet;

    while (radio_receive(&packet) == 0) {
        uint64_t us = packet_time_us(packet);
        if (us != 0 && ended_us != 0) {
            look(us, packet_attributes(packet)->flags & RADIO_ANSWERS);
        }
        packet_free(packet);
    }
}

static void send(struct radio_transfer *transfer, uint8_t kind)
{
    const uint8_t header[FRAME_BYTES] = {kind, 0x88, 7, 0x22, 0, OTHER, 0, ASKER, 0};

    packet_write(transfer->packet, 0, header, sizeof(header));
    if (radio_send(transfer) != 0) {
        print("not sent\n");
    }
}

static void await_end(struct radio_transfer *transfer)
{
    while (transfer->active) {
    }
    uint64_t us = packet_time_us(transfer->packet);
    ended_us = us == 0 ? 0 : us + SFD_US;
}

THREAD(asks, 512, PRIORITY_APP)
{
    const struct radio_settings settings = {
        .channel = CHANNEL, .pan = 0x22, .short_address = ASKER};
    static struct radio_transfer transfer;

    if (radio_set(&settings) != 0 ||
        packet_alloc(&transfer.packet, TEXT("asks"), 0, FRAME_BYTES) != 0) {
        print("not set\n");
    }
    radio_listen(true);
    sleep_ms(SETTLE_MS);
    for (unsigned i = 0; i < ROUNDS; i++) {
        send(&transfer, CALLS);
        await_end(&transfer);
        ended_us = 0;
        send(&transfer, ASKS);
        await_end(&transfer);
        sleep_ms(PAUSE_MS);
    }
    print("%s before, %s behind, %u wrong\n", near_before > 2 ? "some" : "few",
          near_behind > 2 ? "some" : "few", wrong);
    print("%u, %u\n", near_before, near_behind);
}
