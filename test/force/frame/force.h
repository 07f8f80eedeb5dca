/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Operations of the kernel against each other, an interrupt forced between any two instructions.
 *
 * A program lists operations. In one run up to four actors do one each: the stretch, in a thread or
 * in an event, and the interrupts of each level above the kernel's. The host runs the program like
 * a debugger: while the program is stopped at force_ready it writes into `force_choice` which actor
 * does what; between force_begin and force_end it makes the interrupts pending wherever it chooses;
 * at force_done it reads from `force_failure` which law did not hold. The program itself forces
 * nothing.
 *
 * The objects that the operations use state what must hold, as laws that are true however the
 * actors interleave: what was posted runs after the post, what was given is taken or still there, a
 * thread that waits returns. The conductor, the least urgent thread, runs when all others wait. It
 * then lets the objects release threads that no actor will release, and checks the laws.
 *
 * An operation that interrupts may not call is carried: the interrupt posts an event that
 * calls it or, if only threads may, wakes a thread that is more urgent than the stretch.
 *
 * Every actor writes its own element of an array: counters with several writers would lose counts.
 */
#ifndef TEST_FORCE_FRAME_FORCE_H
#define TEST_FORCE_FRAME_FORCE_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/arch.h>
#include <lichen/event.h>
#include <lichen/notify.h>

#include "machine.h"
#include "software_interrupt.h"

/* The actors: the stretch, and the interrupts of all levels (1 more than the level). */
#define FORCE_LEVELS    ARCH_LEVEL_KERNEL
#define FORCE_ACTORS    (1u + FORCE_LEVELS)
#define FORCE_STRETCH   0u
#define FORCE_PAINT     0xa5u        /* a byte of ARCH_STACK_PAINT */
#define FORCE_CONDUCTOR FORCE_ACTORS /* for laws that also count what the conductor does */

/* An object that operations use, and its laws. The conductor calls these. */
struct force_object {
    void (*prepare)(void); /* before the run: as if nothing had happened yet */
    bool (*settle)(
        void); /* releases threads that no actor will release; true if there were any; may be 0 */
    void (*check)(void); /* after the run: the laws, by force_expect */
};

/* An operation. At least one of the functions is not 0. */
struct force_operation {
    const char *name;
    const struct force_object *object;
    void (*in_thread)(unsigned actor);
    void (*in_event)(unsigned actor);
    void (*in_interrupt[FORCE_LEVELS])(unsigned actor); /* of that level */
};

/* Names the function `name`(actor, level), which is inlined with a constant level, for each level.
 */
#define FORCE_AT_EACH_LEVEL(name) SOFTWARE_EACH_LEVEL(FORCE_AT_LEVEL, name)
#define FORCE_AT_LEVEL(level, name)                                                                \
    static void name##_##level(unsigned actor)                                                     \
    {                                                                                              \
        name(actor, level);                                                                        \
    }

/* These, as a list; and one function for all levels. */
#define FORCE_LEVELS_OF(name)                                                                      \
    {                                                                                              \
        SOFTWARE_EACH_LEVEL(FORCE_OF_LEVEL, name)                                                  \
    }
#define FORCE_OF_LEVEL(level, name) name##_##level,
#define FORCE_ALL_LEVELS(name)                                                                     \
    {                                                                                              \
        SOFTWARE_EACH_LEVEL(FORCE_ANY_LEVEL, name)                                                 \
    }
#define FORCE_ANY_LEVEL(level, name) name,

/* Addresses of objects that are numbered by level. */
#define FORCE_OBJECTS(name)                                                                        \
    {                                                                                              \
        SOFTWARE_EACH_LEVEL(FORCE_OBJECT, name)                                                    \
    }
#define FORCE_OBJECT(level, name) &name##_##level,

/* of_actor(actor, name) for each actor: `stretch`, and the levels. */
#define FORCE_EACH_ACTOR(of_actor, name) of_actor(stretch, name) SOFTWARE_EACH_LEVEL(of_actor, name)

/* Their numbers, FORCE_##actor. */
enum { FORCE_stretch, FORCE_0, FORCE_1, FORCE_2 };

/* A state in which runs begin. A program that lists some is examined in each of them; objects
 * prepare the same way for all, and `enter` makes the difference. */
struct force_state {
    const char *name;
    void (*enter)(void); /* the conductor calls it after the objects' `prepare`; may be 0 */
    uint32_t lasts_ms;   /* how long a run takes at most; 0: 50 ms */
    bool alone;          /* interrupts are too long for a second one to be forced into them */
};

/* Where the stretch runs. */
enum force_place { FORCE_IN_THREAD = 0, FORCE_IN_EVENT = 1 };

/* Which actor does what; the host writes it at force_ready. */
struct force_choice {
    uint8_t operation[FORCE_ACTORS]; /* 1 more than its index; 0: this actor does not act */
    uint8_t place;                   /* enum force_place */
    uint8_t state;                   /* index into force_states */
};
extern volatile struct force_choice force_choice;

/* The first expectation that did not hold. */
struct force_failure {
    const char *expectation; /* 0: all held */
    const char *file;
    uint32_t line;
};
extern struct force_failure force_failure;

/* What the frame itself can post. A post without an actor has no effect. */
#define FORCE_POSTABLE (2u * FORCE_ACTORS)
extern struct event *const force_postable[FORCE_POSTABLE];

/* Counts the runs: what objects share is prepared once per run. */
extern unsigned force_round;

/* What the program does in the conductor before its first run, if anything. */
__attribute__((weak)) void force_start(void);

/* The program's operations; the symbol's size says how many. */
extern const struct force_operation *const force_operations[];

/* The states in which its runs begin, if it has any; the same. */
extern const struct force_state *const force_states[] __attribute__((weak));

/* Whether this run began in a state. */
static inline bool force_begins(const struct force_state *state)
{
    return force_states[force_choice.state] == state;
}

/* Whether an actor performs an operation in this run. */
bool force_acts(unsigned actor, const struct force_operation *operation);

/* Whether the lowest word of a stack was never used. */
static inline bool force_is_painted(const uint8_t *bottom)
{
    unsigned painted = 0;
    for (unsigned byte = 0; byte < sizeof(uint32_t); byte++) {
        painted += bottom[byte] == (uint8_t)FORCE_PAINT;
    }
    return painted == sizeof(uint32_t);
}

/* The sum of numbers that have one writer each. */
static inline unsigned force_sum(const volatile uint8_t *values, unsigned count)
{
    unsigned all = 0;
    for (unsigned index = 0; index < count; index++) {
        all += values[index];
    }
    return all;
}

/* Places for breakpoints, in the order in which a run passes them. */
void force_ready(void);
void force_begin(void);
void force_end(void);
void force_done(void);

/* Records the first expectation of a run that does not hold. */
void force_fail(const char *expectation, const char *file, uint32_t line);

/* The file's name, once: as a literal in each place it would be a copy each. */
static const char force_file[] ARCH_TEXT_PLACED(force_file) __attribute__((unused)) = TEST_FILE;

/* Records what has been seen, a literal, and must not be. */
#define force_seen(what) force_fail(ARCH_TEXT(what), force_file, __LINE__)

#define force_expect(condition) ((condition) ? (void)0 : force_seen(#condition))

/* Checks the kernel's data structures, whatever was done: lists, rings, threads, stacks. Called
 * when nothing is under way.
 */
void force_check_kernel(void);

/* Checks what holds at any time: the ready list is in order; so are the waiters of each mutex, and
 * its owner inherits exactly their priority. Called in a thread or an event.
 */
void force_check_now(void);

/* Checks that an event is in the ring of a level. Called by an actor that has posted it there and
 * has not yet returned.
 */
static inline __attribute__((always_inline)) void force_queued(const struct event *event,
                                                               unsigned level)
{
    force_expect(event->pending && event->queued[KERNEL_INDEX(level)]);
}

/* The same for a notification or a semaphore, which uses the direct slot or a ring. */
static inline __attribute__((always_inline)) void force_on_its_way(const struct event *event,
                                                                   unsigned level)
{
    if (level != ARCH_LEVEL_DRIVER || kernel.direct != event) {
        force_queued(event, level);
    }
}

/* Poisons the memory below the stack pointers of the other threads with a pattern that depends on
 * the level of the interrupt, so that what is not initialised there is never right by luck.
 * context   thread; no other one is ready
 */
void force_litter_threads(void);

/* The same for the kernel's stack, the idle thread's, and the caller's own.
 */
void force_litter_kernel(void);

/* Calls operation(actor) with values of the actor's own in the registers that a call preserves.
 * returns   whether they are still there afterwards
 */
bool force_keeps(void (*operation)(unsigned actor), unsigned actor);

/* Checks that the calling thread is the one to run, as its control block says. */
void force_runs(void);

/* Checks that no limit of sleep is set: nothing is under way that a deep sleep would stop. */
void force_check_limits(void);

/* Checks that an event is in no ring. */
void force_check_event(const struct event *event);

#endif
