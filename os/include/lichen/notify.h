/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Direct notification: the shortest way from an interrupt to one thread.
 *
 *     NOTIFY(received);
 *     INTERRUPT(SERCOM0) { ...; notify_post_from(&received, LEVEL_DRIVER); }
 *     THREAD(reader, ...) { for (;;) { notify_wait(&received); ... } }
 *
 * A notification is a flag with at most one thread that waits for it. While it is set, notifying
 * again changes nothing; a thread that was woken may find it set anew when it waits again, so it
 * looks for its work and does not count. Drivers that only wake a
 * thread use this rather than an event: no handler runs in between.
 */
#ifndef LICHEN_NOTIFY_H
#define LICHEN_NOTIFY_H

#include <lichen/error.h>
#include <lichen/event.h>
#include <lichen/thread.h>
#include <lichen/time.h>

/* A notification. Made by NOTIFY alone, which places and counts it; `lichen build` refuses others.
 */
struct notify {
    struct event event;    /* its way to the kernel when it cannot go directly */
    struct thread *waiter; /* the waiting thread; with bit 0 set: woken the slow way; NOTIFY_SET:
                              flag set; 0: neither. Kernel level */
};

/* Value of notify.waiter: notified, and no thread has looked yet. */
#define NOTIFY_SET ((struct thread *)1)

/* The kernel's part of notify_post, and of a notification that took the ring. In assembly.
 * context   event
 * blocks    no       cost  31 cycles if the waiting thread becomes the one to run
 */
void notify_deliver(struct event *event);

/* The part of it for a notification that no thread waits for, or one with a deadline.
 * context   event
 * blocks    no
 */
void notify_deliver_rare(struct notify *notify);

/* The part of notify_post for threads.
 * context   thread
 * blocks    no
 */
void notify_post_from_thread(struct notify *notify);

/* The kernel's part of notify_wait, run by a call: makes the calling thread wait.
 * context   event
 * blocks    no
 */
void notify_wait_call(void *notify);

/* Declares a notification. */
#define NOTIFY(name)                                                                               \
    EVENT_COUNT_ONE;                                                                               \
    __asm__(".global notify_deliver_rare"); /* its part of the kernel: os/kernel/event/notify.c */ \
    struct notify name EVENT_PLACED(name) = {.event = {.run = notify_deliver}, .waiter = 0}

/* Notifies from an interrupt of a level.
 * level     the level of the running handler, a constant
 * context   rt, interrupt of that level
 * blocks    no       cost  16 cycles at the drivers' level if no other one is on its way; else, and
 * at the levels of real-time tasks, those of an event
 */
static inline __attribute__((always_inline)) void notify_post_from(struct notify *notify,
                                                                   unsigned level)
{
    struct kernel *state = kernel_state();
    if (level != ARCH_LEVEL_DRIVER) {
        event_post_from(&notify->event, level);
    } else if (state->direct == 0) {
        state->direct = notify;
        arch_kernel_request();
    } else if (state->direct != notify) {
        event_post_from(&notify->event, level);
    }
}

/* Notifies.
 * context   event, thread
 * blocks    no
 */
static inline void notify_post(struct notify *notify)
{
    if (!arch_in_thread()) {
        notify_deliver(&notify->event);
        return;
    }
    notify_post_from_thread(notify);
}

/* Waits for the notification and clears it; returns at once if it is set. One thread at a time: a
 * second one asserts.
 * context   thread
 * blocks    yes
 */
static inline void notify_wait(struct notify *notify)
{
    arch_kernel_wait(notify_wait_call, notify);
}

/* The same until a moment at most.
 * deadline  microseconds of the system clock
 * returns   0, or ERR_TIMEOUT
 * context   thread
 * blocks    yes
 */
MUST_CHECK int notify_wait_until(struct notify *notify, uint64_t deadline);

#endif
