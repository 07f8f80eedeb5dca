/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The parts of the program. */
#ifndef TEST_CORRUPT_EVERYTHING_PARTS_H
#define TEST_CORRUPT_EVERYTHING_PARTS_H

#include <stdbool.h>
#include <stdint.h>

enum part {
    EVENTS,
    WOVEN_EVENTS,
    TASKS,
    TOLD,
    COUNTER,
    PRODUCER,
    CONSUMER,
    URGENT_OWNER,
    LATE_OWNER,
    MEETING,
    WAITER,
    MAKER,
    MADE,
    SLEEPER,
    TURN_A,
    TURN_B,
    JOB,
    PARTS,
};

/* The parts' own state. */
struct own {
    volatile uint8_t works[PARTS]; /* how often each has worked */
    uint8_t seen[PARTS];           /* the same at the end of the last round */
    uint32_t sent, received;       /* numbers of letters */
    uint32_t sampled, taken;       /* the same of samples of the interrupt */
    volatile int owners;           /* threads that have the mutex, one at most */
    bool signalled;                /* what the condition is about */
    uint64_t now_us;               /* latest time that was read */
    uint32_t made;                 /* runs of the thread that is made */
};
extern struct own own;

/* Reports that a part works. A round is over when all parts have reported. */
void works(enum part part);

#endif
