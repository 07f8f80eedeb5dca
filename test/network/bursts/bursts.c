/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two packets wait at any time, so the next frame is made ahead. Now and then the mote pauses, and
 * the first frames of a burst are made when they are asked for. */
#include <lichen/assert.h>
#include <lichen/link.h>
#include <lichen/print.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>

#include "../numbered.h"

enum { PACKETS = 400, BURST = 40, PAUSE_MS = 20, LONG_BYTES = 60, SHORT_BYTES = 5 };

SEMAPHORE(ended, 2);

EVENT(transfer_ended)
{
    semaphore_post(&ended);
}

static struct link_transfer transfers[] = {{.ended = &transfer_ended}, {.ended = &transfer_ended}};

static void begin(struct link_transfer *transfer, uint16_t to, uint16_t bytes)
{
    transfer->destination = link_short(to);
    int error = packet_alloc(&transfer->packet, TEXT("burst"), LINK_HEADROOM, bytes);
    assert(error == 0);
    error = link_begin(transfer);
    assert(error == 0);
}

THREAD(bursts, 512, PRIORITY_APP)
{
    struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = SENDER};

    if (link_open(&settings) != 0) {
        print("not open\n");
    }
    for (unsigned i = 0; i < PACKETS; i++) {
        semaphore_wait(&ended);
        begin(&transfers[i % 2], i % 3 == 2 ? LINK_ALL : OTHER,
              i / 2 % 2 == 0 ? LONG_BYTES : SHORT_BYTES);
        if (i % BURST == 0) {
            sleep_ms(PAUSE_MS);
        }
    }
    print("sent\n");
}
