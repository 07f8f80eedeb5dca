/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Who asked for what, and whether it came. */
#include "jobs.h"

#include "wrap.h"

volatile uint8_t came[JOBS];

static volatile uint8_t asked[ASKERS][JOBS];
static volatile uint8_t came_before[ASKERS][JOBS]; /* when it was asked for last */

/* Bit by job; most are never set, and looking at all of them would be most of a stretch. */
static volatile uint8_t wishes[ASKERS]; /* what was asked for at all */
static volatile uint32_t asked_at[ASKERS];
static bool rested;

/* Longer than anybody needs who is awake, 3 ms, and much shorter than a rest. */
#define LONG_TICKS 98u

static struct coop *const workers[JOBS] = {
    [LISTENS] = &listener, [DOZES] = &dozer, [NAPS] = &napper, [BEGINS] = &ender,
    [ENDS] = &ender,       [RULES] = &ruler, [OBEYS] = &ruled,
};

/* Asks for a job: if it is owed, it must come after this; else it may. */
static void note(unsigned asker, enum job job, bool is_owed)
{
    asked[asker][job]++;
    if (is_owed) {
        came_before[asker][job] = came[job];
        wishes[asker] |= (uint8_t)(1u << job);
    }
}

/* Signals a thread, which owes its job then unless it is dead. */
static void call(unsigned asker, struct coop *thread, enum job job)
{
    note(asker, job, thread->state != COOP_DEAD);
    coop_signal(thread);
}

unsigned jobs_asked(enum job job)
{
    unsigned all = 0;
    for (unsigned asker = 0; asker < ASKERS; asker++) {
        all += asked[asker][job];
    }
    return all;
}

void jobs_prepare(void)
{
    rested = false;
    for (unsigned job = 0; job < JOBS; job++) {
        came[job] = 0;
        for (unsigned asker = 0; asker < ASKERS; asker++) {
            asked[asker][job] = 0;
            wishes[asker] = 0;
        }
    }
}

/* Who dies owes nothing more, but that he begins. */
static bool is_owed(unsigned asker, enum job job)
{
    return came[job] <= came_before[asker][job] &&
           (job == BEGINS || workers[job]->state != COOP_DEAD);
}

/* What an asker is still owed, bit by job. */
static uint8_t owed(unsigned asker)
{
    uint8_t jobs = 0;
    unsigned left = wishes[asker];
    for (unsigned job = 0; left != 0; job++, left >>= 1) {
        if ((left & 1u) != 0 && is_owed(asker, job)) {
            jobs |= (uint8_t)(1u << job);
        }
    }
    return jobs;
}

static bool are_open(void)
{
    for (unsigned job = 0; job < JOBS; job++) {
        if (workers[job]->state == COOP_READY || workers[job]->state == COOP_SLEEPING) {
            return true;
        }
    }
    for (unsigned asker = 0; asker < ASKERS; asker++) {
        if (owed(asker) != 0) {
            return true;
        }
    }
    return false;
}

static void expect_in_time(void)
{
    for (unsigned asker = 0; asker < ASKERS; asker++) {
        force_expect(owed(asker) == 0 || force_ticks() - asked_at[asker] < LONG_TICKS);
    }
}

bool jobs_settle(void)
{
    expect_in_time();
    bool must_rest = !rested || are_open();
    if (!must_rest && ender.state != COOP_DEAD) {
        asked_at[CONDUCTOR] = force_ticks();
        call(CONDUCTOR, &ender, ENDS);
        must_rest = true;
    }
    rested = true;
    return must_rest;
}

static bool may_die(const struct coop *thread)
{
    return thread == &ender || thread == &ruled;
}

void jobs_check(void)
{
    force_expect(!are_open());
    for (unsigned job = 0; job < JOBS; job++) {
        const struct coop *thread = workers[job];
        force_expect(came[job] <= jobs_asked(job));
        force_expect(thread->state == (may_die(thread) ? COOP_DEAD : COOP_WAITING));
    }
}

void do_signal(unsigned actor)
{
    asked_at[actor] = force_ticks();
    call(actor, &listener, LISTENS);
    call(actor, &ender, ENDS);
    call(actor, &ruled, OBEYS);
}

void do_nap(unsigned actor)
{
    asked_at[actor] = force_ticks();
    call(actor, &dozer, DOZES);
    call(actor, &napper, NAPS);
}

void do_rule(unsigned actor)
{
    asked_at[actor] = force_ticks();
    call(actor, &ruler, RULES);
}

/* One that is not dead goes on as it is: only a dead one owes to begin. */
void do_add(unsigned actor)
{
    asked_at[actor] = force_ticks();
    note(actor, BEGINS, ender.state == COOP_DEAD);
    coop_add(&ender);
}
