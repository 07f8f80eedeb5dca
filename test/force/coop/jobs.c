/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Which jobs were requested by whom, and whether they were done. */
#include "jobs.h"

#include "wrap.h"

volatile uint8_t came[JOBS];

static volatile uint8_t asked[ASKERS][JOBS];
static volatile uint8_t came_before[ASKERS][JOBS]; /* at the last request */

/* One bit per job; most are never set, and examining all of them would take most of a stretch. */
static volatile uint8_t wishes[ASKERS]; /* jobs that were requested at all */
static volatile force_ticks_t asked_at[ASKERS];
static bool rested;

/* Longer than any thread that is awake needs, 3 ms, and much shorter than a rest. */
#define LONG_TICKS (CHIP_TICK_HZ * 3u / 1000u + FORCE_TICKS_LATE)

/* Some rests. */
static const struct force_state begins = {.name = "", .lasts_ms = 200};
const struct force_state *const force_states[] = {&begins};

static struct coop *const workers[JOBS] = {
    [LISTENS] = &listener, [DOZES] = &dozer, [NAPS] = &napper, [BEGINS] = &ender,
    [ENDS] = &ender,       [RULES] = &ruler, [OBEYS] = &ruled,
};

/* Requests a job: if it is owed, it must be done after this; otherwise it may be. */
static void note(unsigned asker, enum job job, bool is_owed)
{
    asked[asker][job]++;
    if (is_owed) {
        came_before[asker][job] = came[job];
        wishes[asker] |= (uint8_t)(1u << job);
    }
}

/* Signals a thread, which then owes its job unless it is dead. */
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

/* A dead thread owes nothing except to begin. */
static bool is_owed(unsigned asker, enum job job)
{
    return came[job] <= came_before[asker][job] &&
           (job == BEGINS || workers[job]->state != COOP_DEAD);
}

/* The jobs that an asker is still owed, one bit per job. */
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
        force_expect(owed(asker) == 0 ||
                     (force_ticks_t)(force_ticks() - asked_at[asker]) < LONG_TICKS);
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

/* Adding a thread that is not dead changes nothing: only a dead one then owes to begin. */
void do_add(unsigned actor)
{
    asked_at[actor] = force_ticks();
    note(actor, BEGINS, ender.state == COOP_DEAD);
    coop_add(&ender);
}
