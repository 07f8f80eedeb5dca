/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Counting semaphores.
 *
 *     SEMAPHORE(fork, 1);
 *     ... semaphore_wait(&fork); ...; semaphore_post(&fork); ...
 *
 * Waiting threads are served by priority, and in their order within one. What is
 * posted by interrupts is a SEMAPHORE_RT, which counts per level, so that no count is lost and
 * no interrupt is masked.
 */
#ifndef LICHEN_SEMAPHORE_H
#define LICHEN_SEMAPHORE_H

#include <lichen/error.h>
#include <lichen/event.h>
#include <lichen/time.h>

/* A semaphore. Written at the kernel level only. It may also be made by hand, as a member, in an
 * array or on a stack, with its count and nobody waiting, if it outlives every wait. */
struct semaphore {
    struct message *waiting; /* the calls that wait, most urgent first */
    uint16_t count;          /* what can be taken without waiting */
};

/* A semaphore that interrupts may post too. Made by SEMAPHORE_RT alone, which places and counts it;
 * `lichen build` refuses others. */
struct semaphore_rt {
    struct semaphore semaphore;
    struct event event;          /* brings posts to the kernel level */
    uint8_t posted[ARCH_LEVELS]; /* posts ever made, modulo 256; written at its level only */
    uint8_t taken[ARCH_LEVELS];  /* posts that the kernel has counted */
};

/* Its first count is one that it can have. */
#define SEMAPHORE_CHECK(name, initial)                                                             \
    _Static_assert((initial) >= 0 && (initial) <= UINT16_MAX, "first count of semaphore " #name)

/* Declares a semaphore with its first count, 0 to 65535. */
#define SEMAPHORE(name, initial)                                                                   \
    struct semaphore name = {.waiting = 0, .count = (uint16_t)(initial)};                          \
    SEMAPHORE_CHECK(name, initial)

/* Declares a semaphore that interrupts may post. */
#define SEMAPHORE_RT(name, initial)                                                                \
    EVENT_COUNT_ONE;                                                                               \
    struct semaphore_rt name EVENT_PLACED(name) = {                                                \
        .semaphore = {.waiting = 0, .count = (uint16_t)(initial)},                                 \
        .event = {.run = semaphore_rt_collect}};                                                   \
    SEMAPHORE_CHECK(name, initial)

/* Takes one, waiting as long as there is none.
 * context   thread
 * blocks    yes
 */
void semaphore_wait(struct semaphore *semaphore);

/* Takes one, waiting until a moment at most.
 * deadline  microseconds of the system clock; the past only tries
 * returns   0, or ERR_TIMEOUT
 * context   thread
 * blocks    yes
 */
MUST_CHECK int semaphore_wait_until(struct semaphore *semaphore, uint64_t deadline);

/* Takes one if there is one.
 * returns   0, or ERR_EMPTY
 * context   event, thread
 * blocks    no
 */
MUST_CHECK int semaphore_try(struct semaphore *semaphore);

/* Gives one. The most urgent waiting thread gets it at once.
 * returns   0, or ERR_FULL at 65535
 * context   event, thread
 * blocks    no
 */
int semaphore_post(struct semaphore *semaphore);

/* The handler of every SEMAPHORE_RT's event.
 * context   event
 * blocks    no
 */
void semaphore_rt_collect(struct event *event);

/* Gives one from an interrupt. At most 255 posts of a level may wait for the kernel: of more, 256
 * are lost at a time. Posts beyond a count of 65535 are lost too.
 * level     the level of the running handler, a constant
 * context   rt, interrupt of that level
 * blocks    no       cost  36 cycles
 */
static inline __attribute__((always_inline)) void
semaphore_post_from(struct semaphore_rt *semaphore, unsigned level)
{
    semaphore->posted[level] = (uint8_t)(semaphore->posted[level] + 1u);
    event_post_from(&semaphore->event, level);
}

#endif
