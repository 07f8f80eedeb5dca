/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The form with one thread, which takes received packets, timers and requests to send in the order
 * in which they came. While a frame is sent, received packets wait. */
#include "net/link/form.h"

#include <lichen/notify.h>

NOTIFY(link_has_ended);

void link_request_in_turn(void)
{
    link_tell_queued(LINK_REQUEST, PACKET_NONE);
}

void link_go_on_in_turn(void)
{
    notify_post(&link_has_ended);
}

static void wait_until_ended(void)
{
    while (link_is_sending()) {
        notify_wait(&link_has_ended);
    }
}

void link_run_in_turn(void)
{
    for (;;) {
        if (link_hear() == LINK_REQUEST) {
            while (link_transmit()) {
                wait_until_ended();
            }
        }
    }
}
