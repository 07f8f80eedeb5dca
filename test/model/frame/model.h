/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Actors that do what the host tells them, call by call.
 *
 * A thread, an event's handler or an interrupt is an actor. It asks (model_ask) what to do, makes
 * that one kernel call, and asks again, passing what the call returned. The host has a breakpoint
 * at model_ask, like a debugger: there it sees which actor runs and what its last call returned,
 * writes the next call into the actor's slot of `model_command`, and lets the mote continue. If it
 * writes no call and makes an interrupt pending instead, the interrupt comes first, and then the
 * actor asks once more. The program decides nothing and checks nothing.
 *
 * The numbers of calls are those of `Call` in host/dev/history/src/command.rs.
 */
#ifndef TEST_MODEL_FRAME_MODEL_H
#define TEST_MODEL_FRAME_MODEL_H

#include <stdint.h>

/* Numbers of actors: threads count from 0, the others from here on. */
enum actor {
    ACTOR_EVENT = 8,
    ACTOR_INTERRUPT = 16, /* by level */
    ACTOR_PAIR = 20,      /* woven pairs */
    ACTOR_COOP = 24,
    ACTORS = 28,
};

/* One call. The host writes it while its actor asks; `call` becomes 0 when it is taken. */
struct command {
    uint8_t call;
    uint8_t object;
    uint8_t other;
    uint8_t actor; /* who takes it; written by model_next */
    uint32_t value;
    uint64_t time; /* microseconds: a moment or a length */
};
extern volatile struct command model_command[ACTORS];

/* The last call's results. */
struct answer {
    int result;
    uint32_t value;
};

/* The result that an actor passes when it begins. */
#define MODEL_BEGIN (-1)

/* A place for a breakpoint: the registers hold the actor and its last call's result. */
void model_ask(unsigned actor, int result, uint32_t value);

/* Asks until there is a call for `actor`, and takes it. `answer` is that of the last call, and
 * becomes 0. */
void model_next(unsigned actor, struct answer *answer, struct command *command);

/* How far each actor's computation has come, in pieces of MODEL_PIECE_US. */
#define MODEL_PIECE_US 50u
extern volatile uint32_t model_progress[ACTORS];

/* Computes for about that many microseconds. */
void model_compute(unsigned actor, uint32_t us);

#endif
