/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Direct notification. The usual case, a thread that waits without a deadline, is delivered by the
 * architecture without coming here.
 *
 * `waiter` is the whole state: 0, NOTIFY_SET, a waiting thread, or a thread with bit 0 set, which
 * waits in a message with a deadline. The architecture tells the cases apart by bit 0.
 */
#include <lichen/notify.h>

#include <lichen/assert.h>
#include <lichen/kernel.h>

#include "arch/arch.h"
#include "kernel/thread/message.h"
#include "kernel/thread/ready.h"

#define WAITS_WITH_DEADLINE 1u

static bool in_message(const struct thread *waiter)
{
    return (uintptr_t)waiter & WAITS_WITH_DEADLINE;
}

static struct thread *thread_of(struct thread *waiter)
{
    return (struct thread *)((uintptr_t)waiter & ~(uintptr_t)WAITS_WITH_DEADLINE);
}

void notify_deliver_rare(struct notify *notify)
{
    struct thread *waiter = notify->waiter;
    if (in_message(waiter) && waiter != NOTIFY_SET) {
        notify->waiter = 0;
        message_end(thread_of(waiter)->message, 0);
    } else {
        notify->waiter = NOTIFY_SET;
    }
}

static int deliver(void *argument)
{
    notify_deliver(argument);
    return 0;
}

void notify_post_from_thread(struct notify *notify)
{
    (void)arch_kernel_call(deliver, notify);
}

/* True if the flag was set; it is cleared. */
static bool take(struct notify *notify)
{
    bool set = notify->waiter == NOTIFY_SET;
    assert(set || notify->waiter == 0);
    notify->waiter = 0;
    return set;
}

int notify_wait_call(void *argument)
{
    struct notify *notify = argument;
    struct thread *thread = kernel.current;
    if (!take(notify)) {
        notify->waiter = thread;
        thread->state = THREAD_WAITING;
        ready_remove(thread);
    }
    return 0;
}

static void cancel(struct message *message)
{
    struct notify *notify = message->object;
    notify->waiter = 0;
}

static int wait_until(void *argument)
{
    struct message *message = argument;
    struct notify *notify = message->object;
    if (!take(notify)) {
        notify->waiter = (struct thread *)((uintptr_t)kernel.current | WAITS_WITH_DEADLINE);
        message_wait(message, DEADLINE_NEVER);
    }
    return 0;
}

int notify_wait_until(struct notify *notify, uint64_t deadline)
{
    struct message message = {
        .deadline.tick = deadline_of_us(deadline), .object = notify, .cancel = cancel};
    return message_call(wait_until, &message);
}
