/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Reference counters: how many use something, and waiting until nobody does.
 *
 *     REFERENCE(program);
 *     ... reference_take(&program); ...; reference_give(&program); ...     who uses it
 *     ... reference_wait(&program); free its memory ...                    who takes it away
 */
#ifndef LICHEN_REFERENCE_H
#define LICHEN_REFERENCE_H

#include <lichen/error.h>
#include <lichen/time.h>

struct message;

/* A reference counter. Written at the kernel level only. It may also be made by hand, of zeros, if
 * it outlives every wait. */
struct reference {
    struct message *waiting; /* the calls that wait for 0 */
    uint16_t count;
};

/* Declares a reference counter of 0. */
#define REFERENCE(name) struct reference name = {.waiting = 0, .count = 0}

/* Counts one more user.
 * returns   0, or ERR_FULL at 65535
 * context   event, thread
 * blocks    no
 */
int reference_take(struct reference *reference);

/* Counts one user less; at 0 all waiting threads go on. One too many asserts.
 * context   event, thread
 * blocks    no       cost  O(n) waiting threads
 */
void reference_give(struct reference *reference);

/* Waits until the count is 0; returns at once if it is. By the time that the caller runs, there may
 * be users again, if some begin to use it unasked.
 * context   thread
 * blocks    yes
 */
void reference_wait(struct reference *reference);

/* The same until a moment at most.
 * deadline  microseconds of the system clock; the past only looks
 * returns   0, or ERR_TIMEOUT
 * context   thread
 * blocks    yes
 */
MUST_CHECK int reference_wait_until(struct reference *reference, uint64_t deadline);

#endif
