/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The counter of frames is the same for all destinations: between two frames to the first mote it
 * comes back to where it was. */
#include <lichen/am.h>
#include <lichen/print.h>
#include <lichen/thread.h>

#include "../numbered.h"

enum { ROUNDS = 8, TO_OTHER = 255 };

static unsigned lost;

static void send(uint16_t to, unsigned number)
{
    const uint8_t bytes[] = {(uint8_t)(number >> 8), (uint8_t)number};

    lost += am_send(to, NUMBERED, bytes, sizeof(bytes)) != 0;
}

THREAD(many, 512, PRIORITY_APP)
{
    struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = SENDER};

    if (link_open(&settings) != 0) {
        print("not open\n");
    }
    for (unsigned round = 1; round <= ROUNDS; round++) {
        send(RECEIVER, round);
        for (unsigned i = 0; i < TO_OTHER; i++) {
            send(OTHER, round);
        }
    }
    print("sent, %u lost\n", lost);
}
