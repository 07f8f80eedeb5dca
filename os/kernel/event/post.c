/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Posts from threads and from the kernel level itself: both are made at the kernel level, whose
 * ring has no other writer.
 *
 * The life of an event:
 *
 *   declared   EVENT (lichen/event.h) places it in RAM, idle, and leaves a byte that the linker
 *              counts: each level's ring has that many slots and one more (os/kernel/ram.ld).
 *   posted     event_post_from at a level: it becomes `pending`. If it is not `queued` in that
 *              level's ring, it is put there, and the kernel level is requested. For a thread, the
 *              call below does this at the kernel level.
 *   again      Posted while it is pending, nothing more happens at the same level; at another
 *              level it enters that ring too.
 *   dispatched The kernel level (kernel_deliver in dispatch.c) takes the oldest entry of the most
 *              urgent ring that is not empty, and clears `queued`. If the event is `pending`, that
 *              is cleared and the event's handler runs. If not, the event ran at an entry in
 *              another ring, and this entry is dropped.
 *   woven      If it is a half of a pair, woven_run (os/kernel/event/woven.c) checks whether the
 *              other one is pending, and runs the handler of one or of both.
 *   runs       to its end; only interrupts come in between. A post made meanwhile runs it again.
 *   idle       as at first. A post cannot be cancelled; a timer that would make one can
 *              (lichen/timer.h).
 */
#include "kernel/event/event.h"

void event_post_service(void *event)
{
    event_post_from(event, ARCH_LEVEL_KERNEL);
}

void event_post(struct event *event)
{
    kernel_do(event_post_service, event);
}
