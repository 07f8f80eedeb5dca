/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sends the longest frames to the other mote, one after the other: while one is on the air, the
 * next one is made.
 */
#include <lichen/semaphore.h>
#include <lichen/thread.h>

#include "talk.h"

SEMAPHORE(ended, 2);

EVENT(transfer_ended)
{
    semaphore_post(&ended);
}

static struct link_transfer transfers[] = {{.ended = &transfer_ended}, {.ended = &transfer_ended}};

THREAD(flood, TALK_STACK, PRIORITY_APP)
{
    open_link();
    sleep_ms(START_MS);
    for (uint8_t turn = 0;; turn ^= 1) {
        semaphore_wait(&ended);
        struct link_transfer *transfer = &transfers[turn];
        transfer->destination = link_short(PEER);
        transfer->packet = fresh_packet(LONGEST_BYTES);
        int error = link_begin(transfer);
        assert(error == 0);
    }
}
