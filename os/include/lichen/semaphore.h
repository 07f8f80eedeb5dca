/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Counting semaphores.
 *
 *     SEMAPHORE(fork, 1);
 *     ... semaphore_wait(&fork); ...; semaphore_post(&fork); ...
 *
 * Waiting threads are served by priority, and in order of arrival within one priority. Interrupts
 * post to a SEMAPHORE_RT, which counts per level, so that no post is lost and no interrupt is
 * masked; threads wait for the semaphore in it:
 *
 *     SEMAPHORE_RT(samples, 0);
 *     INTERRUPT(ADC) { ...; semaphore_post_from(&samples, LEVEL_DRIVER); }
 *     ... semaphore_wait(&samples.semaphore); ...
 */
#ifndef LICHEN_SEMAPHORE_H
#define LICHEN_SEMAPHORE_H

#include <lichen/error.h>
#include <lichen/event.h>
#include <lichen/loaded.h>
#include <lichen/syscall.h>
#include <lichen/time.h>

/* A semaphore. `waiting` is written at the kernel level only, `count` by threads as well, in
 * restartable sequences. It may also be made by hand, as a member, in an array or on a stack, with
 * its count and with `waiting` 0, if it outlives every wait. */
struct semaphore {
    struct syscall *waiting; /* the calls that wait, most urgent first */
    uint16_t count;          /* what can be taken without waiting */
};

/* A semaphore that interrupts may post too. Can only be made by SEMAPHORE_RT, which places and
 * counts it; `lichen build` refuses others. */
struct semaphore_rt {
    struct event event; /* brings posts to the kernel level when they cannot go directly */
    uintptr_t mark;     /* SEMAPHORE_RT_MARK, where a notification has its waiting thread */
    struct semaphore semaphore;
    uint8_t posted[ARCH_LEVELS]; /* posts ever made, modulo 256; written at its level only */
    uint8_t taken[ARCH_LEVELS];  /* posts that the kernel has counted */
};

/* Distinguishes a semaphore from a notification in the kernel's direct slot: odd, as the address of
 * a waiting thread never is, and not NOTIFY_SET. */
#define SEMAPHORE_RT_MARK 3

/* The initial count must be in range. */
#define SEMAPHORE_CHECK(name, initial)                                                             \
    _Static_assert((initial) + 0ll >= 0 && (initial) + 0ll <= UINT16_MAX,                          \
                   "first count of semaphore " #name " is not 0 to 65535")

/* Declares a semaphore with its initial count, 0 to 65535. */
#define SEMAPHORE(name, initial)                                                                   \
    struct semaphore name OBJECT_PLACED(semaphore, name) = {.waiting = 0,                          \
                                                            .count = (uint16_t)(initial)};         \
    SEMAPHORE_CHECK(name, initial)

/* Declares a semaphore that interrupts may post. */
#define SEMAPHORE_RT(name, initial)                                                                \
    EVENT_COUNT_ONE;                                                                               \
    NOT_LOADED(SEMAPHORE_RT, name);                                                                \
    DECLARATION_NEEDS(semaphore_rt_direct); /* os/arch/armv6m/semaphore_rt.S */                    \
    struct semaphore_rt name EVENT_PLACED(semaphore_rt, name) = {                                  \
        .event = {.run = semaphore_rt_collect},                                                    \
        .mark = SEMAPHORE_RT_MARK,                                                                 \
        .semaphore = {.waiting = 0, .count = (uint16_t)(initial)}};                                \
    SEMAPHORE_CHECK(name, initial)

/* Decrements the count, waiting while it is 0.
 * context   thread
 * blocks    yes      cost  16 cycles if the count is above 0 [bench kernel/semaphore_wait]
 */
static inline __attribute__((always_inline)) void semaphore_wait(struct semaphore *semaphore)
{
    (void)ARCH_SEQUENCE_CALL(semaphore_take, semaphore);
}

/* The part of semaphore_wait_until that runs at the kernel level; the call's object is the
 * semaphore.
 * returns   as semaphore_wait_until, if it need not wait
 * context   event (in a call)
 * blocks    no
 */
int semaphore_service(void *syscall);

/* Decrements the count, waiting for it to be above 0 until the deadline at most.
 * deadline  microseconds of the system clock; if it is past, only tries
 * returns   0, or ERR_TIMEOUT
 * context   thread
 * blocks    yes
 */
MUST_CHECK static inline int semaphore_wait_until(struct semaphore *semaphore, uint64_t deadline)
{
    return syscall_run_on_until(semaphore_service, semaphore, deadline);
}

/* Decrements the count if it is above 0.
 * returns   0, or ERR_EMPTY
 * context   event, thread, coop
 * blocks    no
 */
MUST_CHECK static inline __attribute__((always_inline)) int
semaphore_try(struct semaphore *semaphore)
{
    return ARCH_SEQUENCE_CALL(semaphore_try_take, semaphore);
}

/* Increments the count, or hands the increment to the most urgent waiting thread at once.
 * returns   0, or ERR_FULL at 65535
 * context   event, thread, coop
 * blocks    no       cost  19 cycles if nobody waits [bench kernel/semaphore_post]
 */
static inline __attribute__((always_inline)) int semaphore_post(struct semaphore *semaphore)
{
    return ARCH_SEQUENCE_CALL(semaphore_give, semaphore);
}

/* semaphore_try in an event, called by os/arch.
 * returns   as semaphore_try
 * context   event
 * blocks    no
 */
int semaphore_try_in_event(struct semaphore *semaphore);

/* semaphore_post in an event, called by os/arch.
 * returns   as semaphore_post
 * context   event
 * blocks    no
 */
int semaphore_give_in_event(struct semaphore *semaphore);

/* The handler of every SEMAPHORE_RT's event.
 * context   event
 * blocks    no
 */
void semaphore_rt_collect(struct event *event);

/* Posts from an interrupt. At most 255 posts per level may be pending for the kernel; beyond that,
 * 256 are lost at a time. Posts beyond a count of 65535 are lost too.
 * level     the level of the running handler, a constant
 * context   rt (and drivers' interrupts, of that level)
 * blocks    no       cost  22 cycles at the drivers' level if nothing else is pending; otherwise,
 *           and at the levels of real-time tasks, 36
 */
static inline __attribute__((always_inline)) void
semaphore_post_from(struct semaphore_rt *semaphore, unsigned level)
{
    semaphore->posted[level] = (uint8_t)(semaphore->posted[level] + 1u);
    event_post_directly(&semaphore->event, level);
}

#endif
