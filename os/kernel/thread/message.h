/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Blocking calls as messages.
 *
 * A thread that may have to wait describes its call in a message on its own
 * stack and hands it to the kernel level. The kernel keeps the message while the
 * thread waits: in the list of what it waits for, and in the list of deadlines.
 * When the call ends, both have let go of it, and the result is in it; only then does the thread
 * run again. All functions here run at the kernel level.
 */
#ifndef KERNEL_THREAD_MESSAGE_H
#define KERNEL_THREAD_MESSAGE_H

#include <lichen/thread.h>

#include "kernel/time/deadline.h"

struct message {
    struct message *next;     /* the next one that waits for the same; written by its owner */
    struct thread *thread;    /* the caller */
    struct deadline deadline; /* .tick is DEADLINE_NEVER for a call without one */
    void *object;             /* what the call is about */
    void (*cancel)(struct message *message); /* takes it out of the object's list; 0: in none */
    int result;                              /* enum error, when the call has ended */
};

/* Runs `call` with the message at the kernel level and waits until the call has ended.
 * returns   what the call returned if that is not 0, else the message's result
 * context   thread
 * blocks    if the call does
 */
int message_call(arch_call_fn *call, struct message *message);

/* Makes the caller wait. It is the last act of a call, which returns 0 after it.
 * latest    as for deadline_insert
 */
void message_wait(struct message *message, uint64_t latest);

/* Ends the call of a waiting thread; the message must be in no object's list any more. */
void message_end(struct message *message, int result);

#endif
