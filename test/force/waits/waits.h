/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Three threads that wait for the same thing, and what is done to them meanwhile.
 *
 * Each program test/force/wait_* says in a `struct wait_kind` what they wait for; the operations
 * are the same for all. The three arrive in their order: the first two have equal priority, the
 * third is more urgent and so is before them in the list. The operations:
 *
 *     destroy   the first and the third: from the middle and the head of the list
 *     disturb   the third is paused, the second is made more urgent than all
 *     expire    the deadline of the first two passes
 *     release   the head of the list, or all waiters, continue
 *
 * The stretch is less urgent than the three; threads that interrupts wake are more urgent. The
 * conductor does what no actor has done: it lets deadlines pass, resumes, and releases until no
 * thread waits.
 */
#ifndef TEST_FORCE_WAITS_WAITS_H
#define TEST_FORCE_WAITS_WAITS_H

#include <lichen/syscall.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "force.h"

#define WAITERS 3u

/* What they wait for. */
struct wait_kind {
    void (*prepare)(void); /* before they arrive */
    /* Waits; with a deadline unless it is TIME_NEVER. Returns 0 or ERR_TIMEOUT. */
    int (*wait)(unsigned who, uint64_t deadline);
    /* Releases what it can, in a thread or, if the program's operation says so, in an event. `who`
     * is the actor, or the conductor. */
    void (*release)(unsigned who);
    bool (*there)(void); /* at the kernel level: whether no thread should have to wait; may be 0 */
    void (*check)(void); /* after the run */
    /* How many waiters one release lets continue, at most. */
    unsigned at_a_time;
    bool only_destroyed; /* the conductor cannot release: it destroys threads that still wait */
};
extern const struct wait_kind wait_kind;

/* How often each wait has returned 0, by itself. */
extern volatile uint8_t came_back[WAITERS];

/* How many were destroyed before they returned: what they had already received may be lost with
 * them.
 */
unsigned waiters_lost(void);

/* Whether one was destroyed, or is about to be. */
bool waiter_destroyed(unsigned who);

/* Poisons the stack where the calling thread's next calls have their variables, so that no
 * uninitialised variable is right by luck: alternately two words that are 0, which may be a time
 * that has passed, and two that are not. `turn`, 0 or 1, says which come first.
 */
void waits_litter_stack(unsigned turn);

extern const struct force_object waits;

extern const struct force_operation operation_destroy;
extern const struct force_operation operation_disturb;
extern const struct force_operation operation_expire;
extern const struct force_operation operation_nothing;           /* for a stretch that only waits */
extern const struct force_operation operation_release;           /* in a thread and in an event */
extern const struct force_operation operation_release_in_thread; /* in a thread only */

#endif
