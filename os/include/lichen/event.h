/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Events: work that runs to completion at the kernel level, before any thread.
 *
 *     EVENT(byte_received) { ... }
 *     INTERRUPT(SERCOM0) { ...; event_post_from(&byte_received, LEVEL_DRIVER); }
 *
 * Every level has a ring with room for all events, so a post cannot fail and nothing that an
 * interrupt reports is lost. Posts made while an event is pending coalesce into one run;
 * what must be counted goes through a counter, a queue or a semaphore. A post made while the event
 * runs causes another run.
 *
 * Order: events posted at a more urgent level run first; within a level they run in the order of
 * their posts. An event posted at several levels has an entry in several rings, and runs once, at
 * the first; if it is posted again before another entry is reached, it runs again at that one.
 *
 * What no EVENT declares cannot be posted: the program does not build. A struct event made by hand,
 * as a variable, in an array, as a member or on a stack, has no slot in the rings, and a post of it
 * could overwrite pending entries: `lichen build` refuses it. Memory that is made an event only by
 * a cast is not detected; posting it may lose posts. A program has at most 255 events,
 * notifications, and semaphores and queues of interrupts. lichen/timer.h posts later or
 * periodically, lichen/woven.h makes one handler of two events. How it works: doc/design/kernel.md,
 * "Posting".
 *
 * In a program that is loaded, an event takes a spare slot of the image (`[programs] events` of its
 * manifest), and a handler that fails ends the program (doc/design/loader.md).
 *
 * A handler may use every call whose context says "event". It must not wait: `lichen build` refuses
 * a program in which one could, except through pointers.
 */
#ifndef LICHEN_EVENT_H
#define LICHEN_EVENT_H

#include <lichen/arch.h>
#include <lichen/kernel.h>
#include <lichen/loaded.h>

/* An event. Can only be made by EVENT, which places and counts it. */
struct event {
    void (*run)(struct event *event); /* the handler; constant after start-up */
    uint8_t pending;             /* posted and not yet run; set by posts, cleared by the kernel */
    uint8_t queued[ARCH_LEVELS]; /* it is in that level's ring; indexed by KERNEL_INDEX(level) */
    uint8_t woven;               /* its first row in the table of lichen/woven.h, or of a program
                                    that is loaded, in the table of its events; set at start-up */
};

/* A row in the table of events of a program that is loaded. */
struct event_row {
    struct event *event;
    void (*run)(struct event *event); /* its handler; the kernel calls it in a way of its own */
};

/* Counts one postable object, so that the linker makes room for it in every ring, and pulls the
 * kernel level into the program (os/arch/armv6m/events.S). */
#define EVENT_COUNT_ONE                                                                            \
    DECLARATION_NEEDS(kernel_level);                                                               \
    DECLARATION_COUNTS(".lichen.postable")

/* Places each counted object in a section of its own, so that an object to which nothing refers is
 * not linked. An object anywhere else was made by hand, which `lichen build` refuses. */
#define EVENT_PLACED(kind, name) OBJECT_PLACED_IN(".data.lichen_postable." #name, kind, name)

/* Declares an event and opens its handler, in which `self` is the event. */
#define EVENT(name)                                                                                \
    EVENT_COUNT_ONE;                                                                               \
    void name##_event(struct event *self);                                                         \
    struct event name EVENT_PLACED(event, name) = {.run = OBJECT_HANDLER(name##_event)};           \
    EVENT_OF_LOADED(name, name##_event);                                                           \
    void name##_event(struct event *self __attribute__((unused)))

/* Declares an event that is defined in another file, or further down. */
#define EVENT_EXTERN(name) extern struct event name

/* Posts an event from an interrupt of a level.
 * level     the level of the running handler, a constant; LEVEL_KERNEL at the kernel level
 * context   rt (and drivers' interrupts, of that level)
 * blocks    no       cost  30 cycles, 12 if already pending
 */
static inline __attribute__((always_inline)) void event_post_from(struct event *event,
                                                                  unsigned level)
{
    struct kernel *state = kernel_state();
    event->pending = 1;
    const unsigned byte = KERNEL_INDEX(level);
    if (event->queued[byte]) {
        return;
    }
    event->queued[byte] = 1;
    int index = state->in[byte];
    state->slot[index][level] = event;
    if (--index < 0) {
        index = (int)KERNEL_SLOTS - 1;
    }
    state->in[byte] = (uint8_t)index;
    arch_kernel_request_from(level);
}

/* The same for a notification or a semaphore, which the kernel can usually deliver without running
 * a handler: at the drivers' level it goes through the direct slot, if that is empty.
 * level     the level of the running handler, a constant
 * context   rt (and drivers' interrupts, of that level)
 * blocks    no
 */
static inline __attribute__((always_inline)) void event_post_directly(struct event *event,
                                                                      unsigned level)
{
    struct kernel *state = kernel_state();
    if (level != ARCH_LEVEL_DRIVER) {
        event_post_from(event, level);
    } else if (state->direct == 0) {
        state->direct = event;
        arch_kernel_request_from(level);
    } else if (state->direct != event) {
        event_post_from(event, level);
    }
}

/* Posts an event. A calling thread continues after the event has run, together with everything else
 * that was pending.
 * context   event, thread, coop
 * blocks    no       cost  40 cycles; in a thread, those of a call and of the events that run
 */
void event_post(struct event *event);

#endif
