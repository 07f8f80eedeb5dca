/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Events: a posted event runs once, in the promised order, before any thread continues. */
#include <string.h>

#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/thread.h>

#include "software_interrupt.h"
#include "test.h"

/* What ran, one letter per event. */
static char order[32];
static unsigned length;

static void ran(char letter)
{
    if (length < sizeof(order) - 1) {
        order[length++] = letter;
    }
}

static void forget(void)
{
    memset(order, 0, sizeof(order));
    length = 0;
}

EVENT(a)
{
    ran('a');
}
EVENT(b)
{
    ran('b');
}
EVENT(c)
{
    ran('c');
}

/* What the interrupts of each level post. Each test sets it. */
static struct event *posts[LEVEL_KERNEL][4];

/* A level above the drivers'. */
#define ABOVE (LEVEL_DRIVER - 1)

static inline __attribute__((always_inline)) void post_all(unsigned level)
{
    for (unsigned i = 0; i < 4 && posts[level][i] != 0; i++) {
        event_post_from(posts[level][i], level);
    }
}

SOFTWARE_INTERRUPTS(post_all)

static void prepare(void)
{
    forget();
    memset(posts, 0, sizeof(posts));
    software_interrupts_enable();
}

TEST(a_thread_posts_and_the_event_runs_before_it_goes_on)
{
    prepare();
    event_post(&a);
    expect(strcmp(order, "a") == 0);
}

TEST(an_interrupt_posts_and_the_event_runs_before_the_thread)
{
    prepare();
    posts[LEVEL_DRIVER][0] = &a;
    software_interrupts(1u << LEVEL_DRIVER);
    expect(strcmp(order, "a") == 0);
}

TEST(within_a_level_events_run_in_the_order_of_their_posts)
{
    prepare();
    posts[LEVEL_DRIVER][0] = &b;
    posts[LEVEL_DRIVER][1] = &c;
    posts[LEVEL_DRIVER][2] = &a;
    software_interrupts(1u << LEVEL_DRIVER);
    expect(strcmp(order, "bca") == 0);
}

TEST(a_more_urgent_level_goes_first)
{
    prepare();
    posts[LEVEL_DRIVER][0] = &c;
    posts[ABOVE][0] = &b;
    posts[0][0] = &a;
    software_interrupts(SOFTWARE_LEVELS);
    expect(strcmp(order, ABOVE == 0 ? "ac" : "abc") == 0);
}

TEST(posts_of_a_pending_event_are_one)
{
    prepare();
    posts[LEVEL_DRIVER][0] = &a;
    posts[LEVEL_DRIVER][1] = &b;
    posts[LEVEL_DRIVER][2] = &a;
    software_interrupts(1u << LEVEL_DRIVER);
    expect(strcmp(order, "ab") == 0);
}

TEST(an_event_of_several_levels_runs_once_at_the_most_urgent)
{
    prepare();
    posts[LEVEL_DRIVER][0] = &b;
    posts[LEVEL_DRIVER][1] = &a;
    posts[ABOVE][0] = &a;
    posts[0][0] = &a;
    software_interrupts(SOFTWARE_LEVELS);
    expect(strcmp(order, "ab") == 0);
}

TEST(it_can_be_posted_again_after_it_ran)
{
    prepare();
    posts[LEVEL_DRIVER][0] = &a;
    posts[0][0] = &a;
    for (unsigned i = 0; i < 10; i++) {
        software_interrupts(1u << LEVEL_DRIVER | 1u << 0);
    }
    expect(strcmp(order, "aaaaaaaaaa") == 0);
}

/* The less urgent level's entry finds nothing to run; then that level alone posts again. */
TEST(a_level_whose_entry_was_dropped_posts_again)
{
    for (unsigned less = 1; less < LEVEL_KERNEL; less++) {
        prepare();
        posts[less][0] = &a;
        posts[0][0] = &a;
        software_interrupts(1u << less | 1u << 0);
        expect(strcmp(order, "a") == 0);
        software_interrupts(1u << less);
        expect(strcmp(order, "aa") == 0);
    }
}

/* For a ring that has a slot for each event and one more. */
#define MORE_THAN_SLOTS 32u

static unsigned times;
static unsigned by_level;
EVENT(posts_one_often)
{
    for (unsigned i = 0; i < times; i++) {
        if (by_level == LEVEL_KERNEL) {
            event_post(&a);
        } else {
            software_interrupts(1u << by_level);
        }
    }
    event_post(&b);
}

TEST(posts_of_a_pending_event_take_no_room)
{
    for (by_level = 0; by_level <= LEVEL_KERNEL; by_level++) {
        for (times = 1; times < MORE_THAN_SLOTS; times++) {
            prepare();
            if (by_level < LEVEL_KERNEL) {
                posts[by_level][0] = &a;
            }
            event_post(&posts_one_often);
            expect(strcmp(order, "ab") == 0);
        }
    }
}

/* An event that posts itself and another one from the kernel level. */
static unsigned again;
EVENT(repeats)
{
    ran('r');
    event_post(&c);
    if (again-- > 0) {
        event_post(self);
    }
}

TEST(an_event_posts_itself_and_others)
{
    prepare();
    again = 2;
    event_post(&repeats);
    expect(strcmp(order, "rcrcrc") == 0);
}

/* An event that is interrupted while it runs, by posts of itself and of another one. */
EVENT(interrupted)
{
    ran('i');
    if (length < 3) {
        software_interrupts(1u << ABOVE);
        ran('.');
    }
}

TEST(posts_that_come_while_an_event_runs_are_kept)
{
    prepare();
    posts[ABOVE][0] = &interrupted;
    posts[ABOVE][1] = &a;
    event_post(&interrupted);
    expect(strcmp(order, "i.ia") == 0);
}

TEST(the_rings_survive_many_turns)
{
    prepare();
    posts[LEVEL_DRIVER][0] = &b;
    posts[ABOVE][0] = &c;
    unsigned turns = 300; /* more than any index can count */
    for (unsigned i = 0; i < turns; i++) {
        forget();
        software_interrupts(1u << LEVEL_DRIVER | 1u << ABOVE);
        event_post(&a);
        expect(strcmp(order, "cba") == 0);
    }
}
