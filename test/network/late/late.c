/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sends an acknowledgment some time behind a frame that calls it, each time a little later. */
#include <lichen/alarm.h>
#include <lichen/packet.h>
#include <lichen/print.h>
#include <lichen/radio.h>
#include <lichen/thread.h>

#include "../late.h"

enum { FIRST_US = 1700, STEP_US = 10 };

static struct radio_transfer transfer;
static uint32_t pause_us = FIRST_US;

EVENT(goes)
{
    (void)!radio_go(&transfer);
    radio_listen(true);
}
static ALARM(pause, goes);

/* It is deaf to the frame that may be answered. */
static void take(packet_t packet)
{
    if (*packet_flat(packet) == CALLS && !transfer.active) {
        radio_listen(false);
        (void)!alarm_set(&pause, pause_us);
        (void)!radio_send(&transfer);
        transfer.flags = RADIO_HOLD;
        pause_us += STEP_US;
    }
}

EVENT(radio_received)
{
    packet_t packet;

    while (radio_receive(&packet) == 0) {
        take(packet);
        packet_free(packet);
    }
}

THREAD(late, 512, PRIORITY_APP)
{
    const struct radio_settings settings = {
        .channel = CHANNEL, .pan = 0x22, .short_address = OTHER};
    const uint8_t acknowledgment[] = {0x02, 0, 7};

    if (radio_set(&settings) != 0 ||
        packet_alloc(&transfer.packet, TEXT("late"), 0, sizeof(acknowledgment)) != 0) {
        print("not set\n");
    }
    packet_write(transfer.packet, 0, acknowledgment, sizeof(acknowledgment));
    transfer.flags = RADIO_HOLD;
    radio_listen(true);
}
