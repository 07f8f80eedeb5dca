/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The form with two threads, for frames that take long to be made and checked, as by a cipher in
 * software: net-main checks what has come, net-tx, which is less urgent, makes what is to be sent.
 */
#include "net/link/form.h"

#include <lichen/notify.h>

/* Something is to be sent, or a frame has ended. */
NOTIFY(link_wake_tx);

void link_request_threads(void)
{
    notify_post(&link_wake_tx);
}

void link_run_main(void)
{
    for (;;) {
        (void)link_hear();
    }
}

void link_run_tx(void)
{
    for (;;) {
        notify_wait(&link_wake_tx);
        while (link_transmit()) {
        }
    }
}
