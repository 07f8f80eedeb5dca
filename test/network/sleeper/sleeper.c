/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sleeps except to send. A radio that listens for the acknowledgment acknowledges what comes, so
 * that must be received. */
#include <lichen/am.h>
#include <lichen/print.h>
#include <lichen/radio.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "../numbered.h"

enum { MESSAGES = 150, PAUSE_MS = 3 };

LINK_RECEIVER(packets, 16);
PACKET_POOL(ARCH_FLASH_IS_APART ? 10 : 20);

static unsigned drop_received(void)
{
    struct link_info info;
    packet_t packet;
    unsigned count = 0;

    while (link_try_receive(&packets, &info, &packet) == 0) {
        packet_free(packet);
        count++;
    }
    return count;
}

THREAD(sleeper, 512, PRIORITY_APP)
{
    struct link_settings settings = {
        .pan = LINK_PAN_USUAL, .short_address = OTHER, .flags = LINK_SLEEPS};
    static const uint8_t bytes[] = {0, 0};
    struct radio_counters counters;
    unsigned received = 0;

    if (link_open(&settings) != 0) {
        print("not open\n");
    }
    for (unsigned i = 0; i < MESSAGES; i++) {
        (void)!am_send(RECEIVER, NUMBERED, bytes, sizeof(bytes)); /* who is not there */
        sleep_ms(PAUSE_MS);
        received += drop_received();
    }
    radio_count(&counters);
    print("%s received, %u not taken\n", received > 100 ? "many" : "few", counters.not_taken);
}
