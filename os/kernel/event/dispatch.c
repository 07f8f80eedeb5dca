/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the kernel level does when it is entered: it runs the events that have been posted, and
 * delivers the notification or semaphore in the direct slot. This text says what happens;
 * an architecture may do the same in assembly, in fewer cycles.
 */
#include <lichen/kernel.h>

#include <lichen/event.h>
#include <lichen/notify.h>
#include <lichen/semaphore.h>

#include "arch/arch.h"
#include "chip/chip.h"
#include "kernel/event/event.h"

/* In order: an entry is complete when the index that admits it is read. */
static inline void in_order(void)
{
    __asm__ volatile("" : : : "memory");
}

static bool is_empty(unsigned byte)
{
    const volatile uint8_t *in = kernel.in;
    return in[byte] == kernel.out[byte];
}

/* Takes the oldest post of a level whose ring is not empty. */
static struct event *take_oldest(unsigned level, unsigned byte)
{
    in_order();
    uint8_t index = kernel.out[byte];
    struct event *event = kernel.slot[index][level];
    kernel.out[byte] = (uint8_t)(index != 0 ? index - 1u : KERNEL_SLOTS - 1u);
    return event;
}

/* Runs an event if it is still pending. `queued` is cleared before `pending` is read: a post that
 * comes in between is seen here, or it is queued again. */
static void run_if_pending(struct event *event, unsigned byte)
{
    *(volatile uint8_t *)&event->queued[byte] = 0;
    if (*(volatile uint8_t *)&event->pending != 0) {
        *(volatile uint8_t *)&event->pending = 0;
        in_order();
        event->run(event);
        in_order();
    }
}

/* Serves the most urgent ring that is not empty.
 * returns   false if all are
 */
static bool serve_rings(void)
{
    for (unsigned level = 0; level < ARCH_LEVELS; level++) {
        unsigned byte = KERNEL_INDEX(level);
        if (!is_empty(byte)) {
            run_if_pending(take_oldest(level, byte), byte);
            return true;
        }
    }
    return false;
}

/* Where no notification and no semaphore of interrupts is declared, the slot stays empty. */
#pragma weak notify_deliver
#pragma weak notify_deliver_rare
#pragma weak semaphore_rt_collect

static void deliver(struct event *event)
{
    const struct notify *notify = (const struct notify *)(const void *)event;
    if (semaphore_rt_collect != 0 && (uintptr_t)notify->waiter == SEMAPHORE_RT_MARK) {
        semaphore_rt_collect(event);
    } else if (notify_deliver != 0) {
        notify_deliver(event);
    }
}

void kernel_deliver(void)
{
    if (chip_serve != 0) {
        chip_serve();
    }
    for (;;) {
        if (serve_rings()) {
            continue;
        }
        struct event *direct = arch_take_direct(&kernel.direct);
        if (direct == 0) {
            return;
        }
        deliver(direct);
    }
}
