/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Waiting for a notification until a moment. Apart from the plain wait, which needs no clock. */
#include <lichen/notify.h>

#include <lichen/kernel.h>

#include "kernel/event/notify.h"
#include "kernel/thread/message.h"

static void cancel(struct message *message)
{
    struct notify *notify = message->object;
    notify->waiter = 0;
}

static int wait_until(void *argument)
{
    struct message *message = argument;
    struct notify *notify = message->object;
    if (!notify_take(notify)) {
        notify_slow(notify, kernel.current);
        message->cancel = cancel;
        (void)message_wait(message);
    }
    return 0;
}

int notify_wait_until(struct notify *notify, uint64_t deadline)
{
    return message_do_until(wait_until, notify, deadline);
}
