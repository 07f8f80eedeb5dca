/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Dispatch of events that have a woven partner. At start-up their handlers are replaced by
 * woven_run, so dispatch knows nothing of pairs and other events pay nothing for them. Whether a
 * partner is pending is one test of its flag, wherever it is queued: nothing is searched, and posts
 * need no test at all (doc/decisions/0006-woven-pairs-at-dispatch.md).
 */
#include <lichen/woven.h>

#include <stdbool.h>

#include "kernel/start.h"

extern const struct woven_half woven_begin[], woven_end[];

/* Ends the rows of the last half. */
static const void *const no_half __attribute__((section(".lichen.woven.~"), used)) = 0;

static inline __attribute__((always_inline)) bool all_pending(const struct woven *woven)
{
    for (; woven->second->pending; woven = woven->inner) {
        if (woven->inner == 0) {
            return woven->first->pending;
        }
    }
    return false;
}

/* Before the handler runs: a later post counts as a new one. Their entries in the rings stay, find
 * nothing pending, and are dropped. */
static void take_all(const struct woven *woven)
{
    struct event *first;
    do {
        woven->second->pending = 0;
        first = woven->first;
        woven = woven->inner;
    } while (woven != 0);
    first->pending = 0;
}

/* The usual pair, of two events, is decided by the first test. */
static inline __attribute__((always_inline)) bool pending_in(const struct woven_half *row)
{
    return row->partner->pending && (row->woven->inner == 0 || all_pending(row->woven));
}

/* The largest pending set that contains a pending pair. Since all events of the pair are pending,
 * each larger set is decided by its partner. */
static inline __attribute__((always_inline)) const struct woven *
largest_with(const struct woven *woven)
{
    const struct woven_half *row = woven->as_a_half;
    while (row->half == woven) {
        if (row->partner->pending) {
            woven = row->woven;
            row = woven->as_a_half;
        } else {
            row++;
        }
    }
    return woven;
}

static void weave(const struct woven *woven)
{
    woven = largest_with(woven);
    take_all(woven);
    woven->run();
}

/* The event counts as pending until it is decided what runs, so that all events of a set are tested
 * alike. A post of it in between is served by this run. */
void woven_run(struct event *event)
{
    const struct woven_half *row = &woven_begin[event->woven];
    event->pending = 1;
    do {
        if (pending_in(row)) {
            weave(row->woven);
            return;
        }
        row++;
    } while (row->half == event);
    event->pending = 0;
    row[-1].alone(event);
}

static void woven_start(void)
{
    for (const struct woven_half *row = woven_begin; row < woven_end; row++) {
        struct event *event = (struct event *)(uintptr_t)row->half;
        if (row->alone != 0 && event->run != woven_run) {
            event->run = woven_run;
            event->woven = (uint8_t)(row - woven_begin);
        }
    }
}
START(woven_start);
