/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Reference counters: counting the users of something, and waiting until there are none.
 *
 *     REFERENCE(program);
 *     ... reference_take(&program); ...; reference_give(&program); ...     a user
 *     ... reference_wait(&program); free its memory ...                    its owner
 */
#ifndef LICHEN_REFERENCE_H
#define LICHEN_REFERENCE_H

#include <lichen/error.h>
#include <lichen/loaded.h>
#include <lichen/syscall.h>
#include <lichen/time.h>

/* A reference counter. Written at the kernel level only. It may also be made by hand, filled with
 * zeros, if it outlives every wait. */
struct reference {
    struct syscall *waiting; /* the calls that wait for 0 */
    uint16_t count;
};

/* Declares a reference counter of 0. */
#define REFERENCE(name)                                                                            \
    struct reference name OBJECT_PLACED(reference, name) = {.waiting = 0, .count = 0}

/* Counts one more user.
 * returns   0, or ERR_FULL at 65535
 * context   event, thread, coop
 * blocks    no
 */
int reference_take(struct reference *reference);

/* Counts one user less; at 0 all waiting threads continue. Giving back more than was taken asserts.
 * context   event, thread, coop
 * blocks    no       cost  O(n) waiting threads
 */
void reference_give(struct reference *reference);

/* Waits until the count is 0; returns at once if it is. By the time the caller runs, there may be
 * users again, unless new users ask first.
 * context   thread
 * blocks    yes
 */
void reference_wait(struct reference *reference);

/* The part of reference_wait_until that runs at the kernel level; the call's object is the counter.
 * returns   as reference_wait_until, if it need not wait
 * context   event (in a call)
 * blocks    no
 */
int reference_service(void *syscall);

/* As reference_wait, but waits until the deadline at most.
 * deadline  microseconds of the system clock; if it is past, only tries
 * returns   0, or ERR_TIMEOUT
 * context   thread
 * blocks    yes
 */
MUST_CHECK static inline int reference_wait_until(struct reference *reference, uint64_t deadline)
{
    return syscall_run_on_until(reference_service, reference, deadline);
}

#endif
