/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Dispatch of events that have a woven partner. At start-up their handlers are replaced by
 * woven_run, so dispatch knows nothing of pairs and other events pay nothing for them. Whether a
 * partner is pending is one test of its flag, wherever it is queued: nothing is searched, and posts
 * need no test at all (doc/decisions/0006-woven-pairs-at-dispatch.md).
 */
#include <lichen/woven.h>

#include <stdbool.h>

#include "arch/arch.h"
#include "kernel/start.h"

extern const ARCH_FLASH struct woven_half woven_begin[], woven_end[];

#define WOVEN_OF(row) ARCH_FLASH_OF((row)->woven)

/* Ends the rows of the last half. */
static const void *const no_half __attribute__((section(".lichen.woven.~"), used)) = 0;

/* Whether a row is that of an event, or of a pair. Where flash has addresses of its own, an event
 * and a pair may have the same. */
static inline __attribute__((always_inline)) bool is_half(const ARCH_FLASH struct woven_half *row,
                                                          uintptr_t half, bool pair)
{
    uintptr_t alone = (uintptr_t)row->alone;
    __asm__("" : "+r"(alone)); /* gcc 5 for AVR cannot test it in flash */
    return (uintptr_t)row->half == half && (!ARCH_FLASH_IS_APART || (alone == 0) == pair);
}

static inline __attribute__((always_inline)) bool all_pending(const ARCH_FLASH struct woven *woven)
{
    for (; woven->second->pending; woven = ARCH_FLASH_OF(woven->inner)) {
        if (woven->inner == 0) {
            return woven->first->pending;
        }
    }
    return false;
}

/* Before the handler runs: a later post counts as a new one. Their entries in the rings stay, find
 * nothing pending, and are dropped. */
static void take_all(const ARCH_FLASH struct woven *woven)
{
    struct event *first;
    do {
        woven->second->pending = 0;
        first = woven->first;
        woven = ARCH_FLASH_OF(woven->inner);
    } while (woven != 0);
    first->pending = 0;
}

/* The usual pair, of two events, is decided by the first test. */
static inline __attribute__((always_inline)) bool
pending_in(const ARCH_FLASH struct woven_half *row)
{
    return row->partner->pending && (WOVEN_OF(row)->inner == 0 || all_pending(WOVEN_OF(row)));
}

/* The largest pending set that contains a pending pair. Since all events of the pair are pending,
 * each larger set is decided by its partner. */
static inline __attribute__((always_inline)) const ARCH_FLASH struct woven *
largest_with(const ARCH_FLASH struct woven *woven)
{
    const ARCH_FLASH struct woven_half *row = ARCH_FLASH_OF(woven->as_a_half);
    while (is_half(row, (uintptr_t)woven, true)) {
        if (row->partner->pending) {
            woven = ARCH_FLASH_OF(row->woven);
            row = ARCH_FLASH_OF(woven->as_a_half);
        } else {
            row++;
        }
    }
    return woven;
}

static void weave(const ARCH_FLASH struct woven *woven)
{
    woven = largest_with(woven);
    take_all(woven);
    woven->run();
}

/* The event counts as pending until it is decided what runs, so that all events of a set are tested
 * alike. A post of it in between is served by this run. */
void woven_run(struct event *event)
{
    const ARCH_FLASH struct woven_half *row = &woven_begin[event->woven];
    event->pending = 1;
    do {
        if (pending_in(row)) {
            weave(ARCH_FLASH_OF(row->woven));
            return;
        }
        row++;
    } while (is_half(row, (uintptr_t)event, false));
    event->pending = 0;
    row[-1].alone(event);
}

static void woven_start(void)
{
    for (const ARCH_FLASH struct woven_half *row = woven_begin; row < woven_end; row++) {
        struct event *event = (struct event *)(uintptr_t)row->half;
        if (row->alone != 0 && event->run != woven_run) {
            event->run = woven_run;
            event->woven = (uint8_t)(row - woven_begin);
        }
    }
}
START(woven_start);
