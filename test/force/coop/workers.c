/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cooperative threads that wait, sleep, end, or control another one. They run in the order of their
 * names: `ruled` runs before the next turn of `ruler`.
 */
#include "jobs.h"

volatile struct time_passed time_passed;

COOP(listener)
{
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        came[LISTENS]++;
    }
    COOP_END();
}

/* A sleep ends by the signal that was requested, or by time. The shorter sleep does not wait for
 * the longer one if only the stretch requested them and `ruler` keeps no thread from running. */
COOP(dozer)
{
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        came[DOZES]++;
        coop_sleep_begin(&dozer, DOZE_MS);
        coop_yield();
        if (coop_sleep_ended(&dozer)) {
            time_look();
            force_expect(!time_passed.nap || !time_passed.is_told || jobs_asked(DOZES) != 1 ||
                         jobs_asked(RULES) != 0);
        } else {
            came[DOZES]++;
        }
    }
    COOP_END();
}

COOP(napper)
{
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        came[NAPS]++;
        coop_sleep_begin(&napper, NAP_MS);
        coop_yield();
        if (coop_sleep_ended(&napper)) {
            time_look();
            force_expect(time_passed.nap);
        } else {
            came[NAPS]++;
        }
    }
    COOP_END();
}

/* Waits in more than one place, so that it matters where it resumes. */
COOP(ender)
{
    COOP_BEGIN();
    came[BEGINS]++;
    coop_yield();
    coop_wait();
    came[ENDS]++;
    COOP_END();
}

/* How far `ruled` has come since it was last added, and how often it began. */
enum step { BEGUN = 1, BEFORE_SLEEP, SLEPT, WAITED };
static enum step step;
static unsigned began;

COOP(ruled)
{
    COOP_BEGIN();
    began++;
    step = BEGUN;
    coop_yield();
    step = BEFORE_SLEEP;
    coop_sleep_begin(&ruled, NAP_MS);
    coop_yield();
    force_expect(!coop_sleep_ended(&ruled)); /* it is signalled before its time */
    step = SLEPT;
    for (;;) {
        coop_wait();
        came[OBEYS]++;
        step = WAITED;
    }
    COOP_END();
}

/* `ruled` runs once within each yield. The expectations hold if only this thread has signalled it
 * since before it was added. */
COOP(ruler)
{
    static unsigned lives;
    static unsigned calls;
    static unsigned lived; /* signals before it was alive */
    static bool was_called;
    static unsigned reached;
    COOP_BEGIN();
    coop_kill(&ruled);
    for (;;) {
        coop_wait();
        came[RULES]++;
        lives = began;

        /* It has a pending signal when it is killed, which is forgotten. */
        coop_add(&ruled);
        coop_yield();
        force_expect(began == lives + 1 && step == BEGUN);
        coop_signal(&ruled);
        coop_kill(&ruled);
        coop_yield();
        force_expect(ruled.state == COOP_DEAD && step == BEGUN);

        /* It begins again at its start, and is held where it has yielded. */
        calls = jobs_asked(OBEYS);
        coop_add(&ruled);
        lived = jobs_asked(OBEYS);
        coop_yield();
        force_expect(began == lives + 2 && step == BEGUN);
        coop_hold(&ruled);
        coop_yield();
        force_expect(step == BEGUN || calls != jobs_asked(OBEYS));
        /* A signal before or during the call of coop_hold is kept for the sleep, one after it ends
         * the hold; of two signals, the other ends the sleep. */
        was_called = lived != jobs_asked(OBEYS);
        coop_signal(&ruled);
        coop_yield();
        force_expect(step >= BEFORE_SLEEP);
        force_expect(!was_called || ruled.state != COOP_SLEEPING);
        force_expect(ruled.state == COOP_SLEEPING || calls != jobs_asked(OBEYS));

        /* It is held while it sleeps, and a signal ends both. */
        reached = step;
        coop_hold(&ruled);
        coop_yield();
        force_expect(step == reached || calls != jobs_asked(OBEYS));
        coop_signal(&ruled);
        coop_yield();
        force_expect(step >= SLEPT);

        coop_kill(&ruled);
        reached = step;
        coop_yield();
        force_expect(ruled.state == COOP_DEAD && step == reached);
    }
    COOP_END();
}
