/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The jobs of the cooperative threads in these programs, and who requested them. */
#ifndef TEST_FORCE_COOP_JOBS_H
#define TEST_FORCE_COOP_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/coop.h>

#include "force.h"

/* A thread does its job when a wait ends, or a sleep by a signal; `BEGINS` when it begins. */
enum job { LISTENS = 0, DOZES, NAPS, BEGINS, ENDS, RULES, OBEYS, JOBS };

/* Who requests: the actors, the code that sees that nothing is left to do, and the thread `ruler`.
 */
#define CONDUCTOR FORCE_ACTORS
#define RULER     (FORCE_ACTORS + 1u)
#define ASKERS    (FORCE_ACTORS + 2u)

/* How often a job was done. */
extern volatile uint8_t came[JOBS];

/* The shorter sleep; the longer one is NAP_MS. */
#define DOZE_MS 0

/* Times known to have passed since the run began; a thread that slept this long checks them. */
struct time_passed {
    bool is_told; /* if not, the clock is not read, and all times count as passed */
    bool nap;
};
extern volatile struct time_passed time_passed;

/* Updates `time_passed` if nothing else does. Defined by the program; called by a thread that has
 * slept. */
void time_look(void);

COOP_EXTERN(listener);
COOP_EXTERN(dozer);
COOP_EXTERN(napper);
COOP_EXTERN(ender);
COOP_EXTERN(ruled);
COOP_EXTERN(ruler);

/* How often a job was requested. */
unsigned jobs_asked(enum job job);

/* Forgets all requests. */
void jobs_prepare(void);

/* Called before each rest and after it. The rest's alarm runs the caller before any other thread,
 * so a job that has then been owed for long was asleep for no reason.
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
