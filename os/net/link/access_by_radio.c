/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Access to the channel where the radio has all of it, backoff, acknowledgment and retries, and
 * receives while it backs off: the CC1000. For other radios there is access.c.
 */
#include "net/link/format.h"

/* As of access.c. */
enum {
    EXPONENT_LEAST = 3,
    EXPONENT_MOST = 5,
    BACKOFFS = 4,
    RETRIES = 3,
};

static struct link_sending *current;

EVENT_EXTERN(link_sent);
static struct radio_transfer transfer = {.ended = &link_sent,
                                         .csma_retries = BACKOFFS,
                                         .exponent_most = EXPONENT_MOST,
                                         .frame_retries = RETRIES};

EVENT(link_sent)
{
    current->sent = transfer.sent;
    current->pending = transfer.pending;
    link_access_ended(transfer.result == ERR_TIMEOUT ? ERR_IO : transfer.result);
}

void link_access(struct link_sending *sending)
{
    current = sending;
    transfer.packet = sending->packet;
    transfer.exponent_least = sending->is_polled ? 0 : EXPONENT_LEAST;
    transfer.flags = (uint8_t)(RADIO_CSMA | (sending->wants_ack ? RADIO_RETRY : 0));
    if (radio_send(&transfer) != 0) {
        link_access_ended(ERR_IO);
    }
}

/* The radio has the frame. */
void link_access_give_up(void)
{
}

void link_acknowledged(uint8_t sequence, bool pending, uint32_t begun_us)
{
    (void)sequence;
    (void)pending;
    (void)begun_us;
}
