/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Rings that hold everything that the program can post, and an event that is in several rings.
 *
 * A stretch makes interrupts of its own pending, one or several at once, which post before the
 * kernel level runs anything; in an event it fills the kernel level's own ring as well. Interrupts
 * forced into it post the first of these events again.
 *
 * Laws: a post is followed by a run, and there are no more runs than posts; the posts of one actor
 * run in their order.
 */
#include <lichen/event.h>

#include "force.h"
#include "stretch_interrupt.h"

/* The posters: the actors, and the stretch's interrupts. */
#define POSTERS (FORCE_ACTORS + FORCE_LEVELS)

enum which { FIRST = 0, EVENTS = 3 };

static volatile uint8_t runs[EVENTS];
static volatile uint8_t posts[POSTERS][EVENTS];
static volatile uint8_t runs_before[POSTERS][EVENTS];
static volatile uint8_t disorder; /* a later one of the row ran before an earlier one */
static volatile uint8_t in_row;   /* all of them were posted, at once */

static void ran(unsigned which)
{
    runs[which]++;
    disorder |= which > FIRST && runs[which - 1] == 0;
}

EVENT(event_0)
{
    ran(0);
}
EVENT(event_1)
{
    ran(1);
}
EVENT(event_2)
{
    ran(2);
}
static struct event *const events[EVENTS] = {&event_0, &event_1, &event_2};

static inline __attribute__((always_inline)) void note(unsigned poster, unsigned which)
{
    runs_before[poster][which] = runs[which];
    posts[poster][which]++;
}

static inline __attribute__((always_inline)) void post_at(unsigned poster, unsigned which,
                                                          unsigned level)
{
    note(poster, which);
    event_post_from(events[which], level);
    force_queued(events[which], level);
}

/* The frame's own events are posted without a reason and then do nothing, except for a stretch in
 * an event, which would begin again. */
static inline __attribute__((always_inline)) void interrupted(unsigned level)
{
    post_at(FORCE_ACTORS + level, FIRST, level);
    if (!in_row) {
        return;
    }
    for (unsigned which = FIRST + 1; which < EVENTS; which++) {
        post_at(FORCE_ACTORS + level, which, level);
    }
    for (unsigned index = 0; force_choice.place == FORCE_IN_THREAD && index < FORCE_POSTABLE;
         index++) {
        event_post_from(force_postable[index], level);
        force_queued(force_postable[index], level);
    }
}

STRETCH_INTERRUPTS(interrupted)

void force_start(void)
{
    stretch_interrupts_enable();
}

/* One ring. */
#define FILL(level, name)                                                                          \
    static void fill_##level(unsigned actor __attribute__((unused)))                               \
    {                                                                                              \
        in_row = 1;                                                                                \
        stretch_interrupts(1u << level);                                                           \
    }
SOFTWARE_EACH_LEVEL(FILL, )

/* The most and the least urgent level. */
static void enter_two(unsigned actor __attribute__((unused)))
{
    stretch_interrupts(1u | 1u << (FORCE_LEVELS - 1));
}

static void fill_all(unsigned actor __attribute__((unused)))
{
    in_row = 1;
    stretch_interrupts(SOFTWARE_LEVELS);
}

static void post_here(unsigned actor, unsigned which)
{
    note(actor, which);
    event_post(events[which]);
    force_queued(events[which], ARCH_LEVEL_KERNEL);
}

/* Posted behind entries of every other level, and more often than there are slots. */
static void fill_all_in_event(unsigned actor)
{
    fill_all(actor);
    for (unsigned which = FIRST; which < EVENTS; which++) {
        post_here(actor, which);
    }
    for (unsigned slot = 0; slot < KERNEL_SLOTS; slot++) {
        event_post(events[FIRST]);
    }
}

static inline __attribute__((always_inline)) void again_at(unsigned actor, unsigned level)
{
    post_at(actor, FIRST, level);
}
FORCE_AT_EACH_LEVEL(again_at)

static void prepare(void)
{
    stretch_interrupts_prepare();
    disorder = 0;
    in_row = 0;
    for (unsigned which = 0; which < EVENTS; which++) {
        runs[which] = 0;
        for (unsigned poster = 0; poster < POSTERS; poster++) {
            posts[poster][which] = 0;
        }
    }
}

static void check(void)
{
    for (unsigned which = 0; which < EVENTS; which++) {
        unsigned all = 0;
        for (unsigned poster = 0; poster < POSTERS; poster++) {
            all += posts[poster][which];
            force_expect(!posts[poster][which] || runs[which] > runs_before[poster][which]);
        }
        force_expect(runs[which] <= all);
        force_check_event(events[which]);
    }
    force_expect(!disorder);
}

static const struct force_object object = {.prepare = prepare, .check = check};

#define FILL_OPERATION(level, is_of)                                                               \
    static const struct force_operation operation_fill_##level = {                                 \
        .name = "fill_" #level, .object = &is_of, .in_thread = fill_##level};
SOFTWARE_EACH_LEVEL(FILL_OPERATION, object)

static const struct force_operation operation_enter_two = {
    .name = "enter_two", .object = &object, .in_thread = enter_two};
static const struct force_operation operation_fill_all = {
    .name = "fill_all", .object = &object, .in_thread = fill_all, .in_event = fill_all_in_event};
static const struct force_operation operation_again = {
    .name = "again", .object = &object, .in_interrupt = FORCE_LEVELS_OF(again_at)};

const struct force_operation *const force_operations[] = {
    SOFTWARE_EACH_LEVEL(FORCE_OBJECT, operation_fill) & operation_enter_two,
    &operation_fill_all,
    &operation_again,
};
