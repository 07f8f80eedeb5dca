/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Actors that do what they are told, call by call.
 *
 * A thread, an event's handler or an interrupt is an actor. It asks (model_ask) what to do, makes
 * that one call of the kernel, and asks again, with what the call returned. Whoever runs the
 * program, a debugger in the widest sense, has a breakpoint at model_ask: there it sees who runs
 * and what its last call returned, writes the next call into the actor's slot of `model_command`,
 * and lets the mote go on. If it writes none and makes an interrupt pending instead, that one comes
 * first, and then the actor asks once more. The program decides nothing by itself and checks
 * nothing.
 *
 * The numbers of calls are those of `Call` in host/history/src/command.rs.
 */
#ifndef TEST_MODEL_FRAME_MODEL_H
#define TEST_MODEL_FRAME_MODEL_H

#include <stdint.h>

/* Numbers of actors: threads from 0, the others from here on. */
enum actor {
    ACTOR_EVENT = 8,
    ACTOR_INTERRUPT = 16, /* by level */
    ACTOR_PAIR = 20,      /* woven pairs */
    ACTOR_COOP = 24,
    ACTORS = 28,
};

/* One call. Written from outside while its actor asks; `call` becomes 0 when it is taken. */
struct command {
    uint8_t call;
    uint8_t object;
    uint8_t other;
    uint8_t actor; /* who takes it; written by model_next */
    uint32_t value;
    uint64_t time; /* microseconds: a moment or a length */
};
extern volatile struct command model_command[ACTORS];

/* What the last call has given. */
struct answer {
    int result;
    uint32_t value;
};

/* The result of an actor that begins. */
#define MODEL_BEGIN (-1)

/* A place for a breakpoint: in registers who asks, and its answer. */
void model_ask(unsigned actor, int result, uint32_t value);

/* Asks until there is a call for `actor`, and takes it. */
struct command model_next(unsigned actor, struct answer answer);

/* How far each actor has come with computing, in pieces of MODEL_PIECE_US. */
#define MODEL_PIECE_US 50u
extern volatile uint32_t model_progress[ACTORS];

/* Computes for about so many microseconds at 8 MHz. */
void model_compute(unsigned actor, uint32_t us);

#endif
