/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Woven pairs: one handler that does the work of two events in less time than both.
 *
 *     EVENT(sample) { ... }
 *     EVENT(send) { ... }
 *     WOVEN(sample_and_send, sample, send) { ... }
 *
 * If one event is dispatched while the other is pending too, the woven handler runs in place of
 * both. Nothing else changes: events are posted as usual, from every context and in either order,
 * and each behaves as before while the other is not pending. An event may be in several pairs; the
 * first pair by name whose other event is pending is chosen. A pair may be the first half of
 * another pair, so that three events weave as two pairs, and so on, as long as the next one is
 * pending:
 *
 *     WOVEN(sample_send_log, sample_and_send, log) { ... }
 *
 * Order: the woven handler runs in the place of the event that is dispatched first. The other
 * event's entry in the queue is void, unless the event is posted again before that entry is
 * reached: then it runs there. So events queued between the two now run after the second one's
 * work instead of before it; nothing else changes. Coalescing: posts made before the woven handler
 * starts are served by it; a post made while it runs is a new one, and each half posted then runs,
 * or weaves, once more.
 *
 * Woven pairs cost no RAM, and add nothing to the cost of a post. Dispatch of a half costs 34
 * cycles more if it runs alone, 55 if a pair of events runs [bench kernel/woven], and 13 for each
 * further pair that it is in. The same source builds unwoven with `-DLICHEN_WOVEN=OFF`: the linker
 * leaves table and handlers out.
 */
#ifndef LICHEN_WOVEN_H
#define LICHEN_WOVEN_H

#include <lichen/event.h>

struct woven_half;

/* A woven pair, in flash. It is not an event and cannot be posted. */
struct woven {
    void (*run)(void);                  /* the handler */
    struct event *first;                /* the first half if it is an event, else 0 */
    const struct woven *inner;          /* the first half if it is woven, else 0 */
    struct event *second;               /* the second half */
    const struct woven_half *as_a_half; /* its first row, if it is a half; else a row of another */
};

/* A half of a pair: a row of the table in flash that the linker sorts by the names of the halves.
 * Each event knows its first row (event.woven). */
struct woven_half {
    const void *half;                   /* the event or the pair; rows of one follow each other */
    void (*alone)(struct event *event); /* the event's own handler; 0 for a pair */
    const struct event *partner; /* tested first: if it is not pending, no other event is tested.
                                    The half itself if its partner is a pair */
    const struct woven *woven;   /* what runs if all of it are pending */
};

/* The handler that replaces those of all halves; assigned at start-up.
 * context   event
 * blocks    no       cost  O(n) pairs of the event
 */
void woven_run(struct event *event);

/* Names the first row of a pair that is a half; for a pair that is not, the place where it would
 * be.
 */
#define WOVEN_FIRST_ROW(half)                                                                      \
    __asm__(".pushsection .lichen.woven." #half ",\"a\",%progbits\n\t"                             \
            ".balign " ARCH_POINTER_ALIGN "\n\t.global " #half "_rows\n" #half                     \
            "_rows:\n\t.popsection")

#define WOVEN_ROW(name, half_, partner_)                                                           \
    void half_##_event(struct event *self);                                                        \
    static const struct woven_half name##_of_##half_                                               \
        __attribute__((section(".lichen.woven." #half_ "." #name), used)) = {                      \
            .half = &(half_),                                                                      \
            .alone = _Generic((half_), struct event                                                \
                              : half_##_event, struct woven : 0),                                  \
            .partner = (partner_),                                                                 \
            .woven = &name}

/* Declares a woven pair and opens its handler.
 * first     an event, or another woven pair
 * second    an event
 */
#define WOVEN(name, first_, second_)                                                               \
    NEVER_LOADED("a loaded program has no WOVEN pairs; its image has their table");                \
    DECLARATION_NEEDS(woven_run); /* brings os/kernel/event/woven.c into the program */            \
    static void name##_woven(void);                                                                \
    extern const struct woven_half name##_rows[];                                                  \
    extern const struct woven name;                                                                \
    const struct woven name ARCH_FLASH_PLACED(name) = {                                            \
        .run = name##_woven,                                                                       \
        .first = _Generic((first_), struct event                                                   \
                          : (void *)&(first_), struct woven : 0),                                  \
        .inner = _Generic((first_), struct woven                                                   \
                          : (const void *)&(first_), struct event : 0),                            \
        .second = &(second_),                                                                      \
        .as_a_half = name##_rows};                                                                 \
    WOVEN_FIRST_ROW(name);                                                                         \
    WOVEN_ROW(name, first_, &(second_));                                                           \
    WOVEN_ROW(name, second_,                                                                       \
              _Generic((first_), struct event                                                      \
                       : (void *)&(first_), struct woven                                           \
                       : &(second_)));                                                             \
    static void name##_woven(void)

/* Declares a woven pair that is defined in another file. */
#define WOVEN_EXTERN(name) extern const struct woven name

#endif
