/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* As many postable objects as the machine has room for, including the console's: on the SAM R21
 * 255, so the rings have 256 slots, and their indices wrap after 255. With one more the program
 * does not link.
 */
#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/kernel.h>

#include "rings_events.h"
#include "software_interrupt.h"
#include "test.h"

/* Each event, when it runs, reports its place among all. */
static uint8_t order[RING_SLOTS];
static unsigned runs;
static void ran(const struct event *event);

#define ONE(name)                                                                                  \
    EVENT(name)                                                                                    \
    {                                                                                              \
        ran(self);                                                                                 \
    }
#define EIGHT(name)                                                                                \
    ONE(name##0)                                                                                   \
    ONE(name##1)                                                                                   \
    ONE(name##2) ONE(name##3) ONE(name##4) ONE(name##5) ONE(name##6) ONE(name##7)
#define SIXTY_FOUR(name)                                                                           \
    EIGHT(name##0)                                                                                 \
    EIGHT(name##1)                                                                                 \
    EIGHT(name##2)                                                                                 \
    EIGHT(name##3) EIGHT(name##4) EIGHT(name##5) EIGHT(name##6) EIGHT(name##7)

EVENTS(SIXTY_FOUR, EIGHT, ONE)

#define PLACE(name) &name,
#define PLACES_OF_EIGHT(name)                                                                      \
    &name##0, &name##1, &name##2, &name##3, &name##4, &name##5, &name##6, &name##7,
#define PLACES_OF_64(name)                                                                         \
    PLACES_OF_EIGHT(name##0)                                                                       \
    PLACES_OF_EIGHT(name##1)                                                                       \
    PLACES_OF_EIGHT(name##2)                                                                       \
    PLACES_OF_EIGHT(name##3)                                                                       \
    PLACES_OF_EIGHT(name##4)                                                                       \
    PLACES_OF_EIGHT(name##5) PLACES_OF_EIGHT(name##6) PLACES_OF_EIGHT(name##7)

/* clang-format off */
static struct event *const ARCH_FLASH all[] = {EVENTS(PLACES_OF_64, PLACES_OF_EIGHT, PLACE)};
/* clang-format on */
#define COUNT (sizeof(all) / sizeof(*all))

static void ran(const struct event *event)
{
    unsigned place = 0;
    while (all[place] != event) {
        place++;
    }
    order[runs++ % sizeof(order)] = (uint8_t)place;
}

/* What each interrupt posts: how many events, and the first of them. */
static unsigned post_from, post_count;

/* Runs an event in two places alternately: each must take the index past its end. */
static inline __attribute__((always_inline)) void post_some(unsigned level)
{
    for (unsigned i = 0; i < post_count; i++) {
        event_post_from(all[(post_from + i) % COUNT], level);
        if (++i == post_count) {
            return;
        }
        event_post_from(all[(post_from + i) % COUNT], level);
    }
}
SOFTWARE_INTERRUPTS(post_some)

static void expect_all_in_order(unsigned levels)
{
    runs = 0;
    software_interrupts(levels);
    expect_equal(runs, post_count);
    for (unsigned i = 0; i < post_count; i++) {
        expect_equal(order[i], (post_from + i) % COUNT);
    }
}

TEST(the_rings_are_as_long_as_they_can_be)
{
    expect_equal(KERNEL_SLOTS, RING_SLOTS); /* if the console's share changes, change it */
    software_interrupts_enable();
}

TEST(every_ring_holds_every_event)
{
    static const ARCH_FLASH unsigned counts[] = {COUNT, COUNT, COUNT - 1, COUNT};
    for (unsigned level = 0; level < LEVEL_KERNEL; level++) {
        for (unsigned turn = 0; turn < 4; turn++) {
            post_from = turn * 7;
            post_count = counts[turn];
            expect_all_in_order(1u << level);
        }
    }
}

TEST(an_event_in_all_rings_runs_once)
{
    post_from = 7;
    post_count = COUNT;
    expect_all_in_order(SOFTWARE_LEVELS);
}

/* A few at a time, so that the index passes its end at another place each time. */
TEST(indices_begin_again_anywhere)
{
    for (unsigned turn = 0; turn < 700; turn++) {
        post_from = turn * 3;
        post_count = turn % 11;
        expect_all_in_order(1u << turn % LEVEL_KERNEL);
    }
}

/* What one event does when it runs. */
static void (*act)(void);
EVENT(acts)
{
    act();
}

static void post_all(void)
{
    for (unsigned i = 0; i < COUNT; i++) {
        event_post(all[(post_from + i) % COUNT]);
    }
}

/* Every post takes a slot, also at either end of the ring. */
TEST(the_kernels_own_ring_too)
{
    act = post_all;
    for (unsigned turn = 0; turn < 5; turn++) {
        runs = 0;
        post_from = turn * 7;
        uint8_t before = kernel.in[KERNEL_INDEX(ARCH_LEVEL_KERNEL)];
        event_post(&acts);
        uint8_t after = kernel.in[KERNEL_INDEX(ARCH_LEVEL_KERNEL)];
        expect_equal((before + RING_SLOTS - after) % RING_SLOTS, COUNT + 1);
        expect_equal(runs, COUNT);
        for (unsigned i = 0; i < COUNT; i++) {
            expect_equal(order[i], (post_from + i) % COUNT);
        }
    }
}

/* The kernel level's own event waits for all events of a more urgent ring, however many there are.
 */
static unsigned above; /* its level, as a set */

static void post_one_and_all_others_above(void)
{
    event_post(all[COUNT - 1]);
    software_interrupts(above);
}

TEST(a_more_urgent_ring_comes_first_however_full_it_is)
{
    act = post_one_and_all_others_above;
    post_from = 0;
    post_count = COUNT - 1;
    for (unsigned level = 0; level < LEVEL_KERNEL; level++) {
        above = 1u << level;
        runs = 0;
        event_post(&acts);
        expect_equal(runs, COUNT);
        for (unsigned i = 0; i < COUNT; i++) {
            expect_equal(order[i], (post_from + i) % COUNT);
        }
    }
}
