/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Barriers: a number of threads that wait for each other.
 *
 *     BARRIER(all_sampled, 3);
 *     ... sample(); barrier_wait(&all_sampled); combine(); ...
 *
 * When the last of them has arrived, all continue, and the barrier starts again. A thread that
 * stops waiting, by a deadline or because it is destroyed, has not arrived.
 */
#ifndef LICHEN_BARRIER_H
#define LICHEN_BARRIER_H

#include <stdint.h>

#include <lichen/error.h>
#include <lichen/loaded.h>
#include <lichen/syscall.h>
#include <lichen/time.h>

/* A barrier. Written at the kernel level only. It may also be made by hand, with its parties, at
 * least 1, and no waiting thread, if it outlives every wait. */
struct barrier {
    struct syscall *waiting; /* the calls that wait */
    uint8_t parties;         /* how many threads it takes; constant */
};

/* Declares a barrier for 1 to 255 threads. */
#define BARRIER(name, parties_)                                                                    \
    struct barrier name OBJECT_PLACED(barrier, name) = {.waiting = 0, .parties = (parties_)};      \
    _Static_assert((parties_) >= 1 && (parties_) <= UINT8_MAX,                                     \
                   "parties of barrier " #name " are not 1 to 255")

/* Waits until all threads have arrived.
 * context   thread
 * blocks    yes, except for the last one
 */
void barrier_wait(struct barrier *barrier);

/* The part of barrier_wait_until that runs at the kernel level; the call's object is the barrier.
 * returns   as barrier_wait_until, if it need not wait
 * context   event (in a call)
 * blocks    no
 */
int barrier_service(void *syscall);

/* As barrier_wait, but waits until the deadline at most.
 * deadline  microseconds of the system clock
 * returns   0, or ERR_TIMEOUT: the barrier no longer counts the caller
 * context   thread
 * blocks    yes, except for the last one
 */
MUST_CHECK static inline int barrier_wait_until(struct barrier *barrier, uint64_t deadline)
{
    return syscall_run_on_until(barrier_service, barrier, deadline);
}

#endif
