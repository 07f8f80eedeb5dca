/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What cooperative threads do in these programs, and who asked for it. */
#ifndef TEST_FORCE_COOP_JOBS_H
#define TEST_FORCE_COOP_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/coop.h>

#include "force.h"

/* A thread does its job when a wait ends, or a sleep by a signal; `BEGINS` when it begins. */
enum job { LISTENS = 0, DOZES, NAPS, BEGINS, ENDS, RULES, OBEYS, JOBS };

/* Who asks: the actors, whoever sees that nothing is left to do, and the thread that rules. */
#define CONDUCTOR FORCE_ACTORS
#define RULER     (FORCE_ACTORS + 1u)
#define ASKERS    (FORCE_ACTORS + 2u)

/* How often a job was done. */
extern volatile uint8_t came[JOBS];

/* How long the sleepers sleep. */
#define DOZE_MS 1
#define NAP_MS  4

/* What has passed since the begin of a run at least; who slept for so long sees it. */
struct time_passed {
    bool is_told; /* else nobody looks at the clock, and all of it counts as passed */
    bool doze;
    bool nap;
};
extern volatile struct time_passed time_passed;

COOP_EXTERN(listener);
COOP_EXTERN(dozer);
COOP_EXTERN(napper);
COOP_EXTERN(ender);
COOP_EXTERN(ruled);
COOP_EXTERN(ruler);

/* Asks for a job: if it is owed, it must come after this; else it may. */
void jobs_note(unsigned asker, enum job job, bool is_owed);

/* Signals a thread, which owes its job then unless it is dead. */
void jobs_call(unsigned asker, struct coop *thread, enum job job);

/* How often somebody asked for a job. */
unsigned jobs_asked(enum job job);

/* As if nothing had been asked for. */
void jobs_prepare(void);

/* Whether somebody has something to do, sleeps, or owes what was asked for. */
bool jobs_are_open(void);

/* Remembers what is owed, and expects later that it has come. */
void jobs_remember(void);
void jobs_expect_remembered(void);

/* The laws at the end of a run. */
void jobs_check(void);

#endif
