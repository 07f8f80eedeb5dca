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
#define DOZE_MS 0
#define NAP_MS  5

/* What has passed since the begin of a run at least; who slept for so long sees it. */
struct time_passed {
    bool is_told; /* else nobody looks at the clock, and all of it counts as passed */
    bool nap;
};
extern volatile struct time_passed time_passed;

/* Brings that up to date, if nobody else does: the program's. Called by who has slept. */
void time_look(void);

COOP_EXTERN(listener);
COOP_EXTERN(dozer);
COOP_EXTERN(napper);
COOP_EXTERN(ender);
COOP_EXTERN(ruled);
COOP_EXTERN(ruler);

/* How often somebody asked for a job. */
unsigned jobs_asked(enum job job);

/* As if nothing had been asked for. */
void jobs_prepare(void);

/* Called before each rest and after it, which its alarm ends before any other thread has its turn:
 * what has been owed for long then was asleep for no reason.
 * returns   true if there must be a rest
 */
bool jobs_settle(void);

/* The laws at the end of a run. */
void jobs_check(void);

/* Operations. Those that signal may be called anywhere. */
void do_signal(unsigned actor);
void do_nap(unsigned actor);
void do_rule(unsigned actor);
void do_add(unsigned actor);

#endif
