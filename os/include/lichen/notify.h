/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Direct notification: the shortest path from an interrupt to one thread.
 *
 *     NOTIFY(received);
 *     INTERRUPT(SERCOM0) { ...; notify_post_from(&received, LEVEL_DRIVER); }
 *     THREAD(reader, ...) { for (;;) { notify_wait(&received); ... } }
 *
 * A notification is a flag for which at most one thread waits. Notifying again while it is set
 * changes nothing. A woken thread may find it set again when it next waits, so it checks for work
 * and does not count notifications. Drivers that only wake a thread use this rather than an event:
 * no handler runs in between.
 */
#ifndef LICHEN_NOTIFY_H
#define LICHEN_NOTIFY_H

#include <lichen/error.h>
#include <lichen/event.h>
#include <lichen/syscall.h>
#include <lichen/thread.h>
#include <lichen/time.h>

/* A notification. Can only be made by NOTIFY, which places and counts it; `lichen build` refuses
 * others. struct thread marks its address with ARCH_CALL_TAG.
 */
struct ARCH_EVEN notify {
    struct event event;    /* brings it to the kernel when it cannot go directly */
    struct thread *waiter; /* the waiting thread, with bit 0 set if notify_deliver_rare must wake
                              it; NOTIFY_SET: the flag is set; 0: neither. Written at the kernel
                              level, and by the sequence notify_give in a thread */
};

/* Value of notify.waiter: notified, and no thread has consumed it yet. */
#define NOTIFY_SET ((struct thread *)1)

/* Delivers a notification at the kernel level: in an event for notify_post, and as the handler of
 * one that went through a ring. In assembly (os/arch/armv6m/switch.S).
 * context   event
 * blocks    no       cost  31 cycles if the waiting thread becomes the one to run
 */
void notify_deliver(struct event *event);

/* The part of notify_deliver for a notification for which no thread waits, or a thread that waits
 * with a deadline or is paused.
 * context   event
 * blocks    no
 */
void notify_deliver_rare(struct notify *notify);

/* What notify_wait calls if another thread is waiting: asserts.
 * context   event
 * blocks    no
 */
void notify_wait_refused(void);

/* Declares a notification. */
#define NOTIFY(name)                                                                               \
    EVENT_COUNT_ONE;                                                                               \
    DECLARATION_NEEDS(notify_deliver_rare); /* its part of the kernel: os/kernel/event/notify.c */ \
    struct notify name EVENT_PLACED(notify, name) = {                                              \
        .event = {.run = OBJECT_HANDLER(notify_deliver)}, .waiter = 0}

/* Notifies from an interrupt of a level.
 * level     the level of the running handler, a constant
 * context   rt (and drivers' interrupts, of that level)
 * blocks    no       cost  16 cycles at the drivers' level if no other is pending; otherwise, and
 *           at the levels of real-time tasks, those of an event
 */
static inline __attribute__((always_inline)) void notify_post_from(struct notify *notify,
                                                                   unsigned level)
{
    event_post_directly(&notify->event, level);
}

/* Notifies.
 * context   event, thread, coop
 * blocks    no       cost  22 cycles in a thread if nobody waits [bench kernel/queue]
 */
static inline __attribute__((always_inline)) void notify_post(struct notify *notify)
{
    if (!arch_in_thread()) {
        notify_deliver(&notify->event);
        return;
    }
    (void)ARCH_SEQUENCE_CALL(notify_give, notify);
}

/* Waits for the notification and clears it; returns at once if it is set. Only one thread may wait
 * at a time: a second one asserts.
 * context   thread
 * blocks    yes
 */
static inline __attribute__((always_inline)) void notify_wait(struct notify *notify)
{
    arch_notify_wait(notify);
}

/* The part of notify_wait_until that runs at the kernel level; the call's object is the
 * notification.
 * returns   as notify_wait_until, if it need not wait
 * context   event (in a call)
 * blocks    no
 */
int notify_wait_service(void *syscall);

/* As notify_wait, but waits until the deadline at most.
 * deadline  microseconds of the system clock
 * returns   0, or ERR_TIMEOUT
 * context   thread
 * blocks    yes
 */
MUST_CHECK static inline int notify_wait_until(struct notify *notify, uint64_t deadline)
{
    return syscall_run_on_until(notify_wait_service, notify, deadline);
}

#endif
