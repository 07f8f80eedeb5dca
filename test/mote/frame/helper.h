/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Threads that do what a test tells them:
 *
 *     HELPER(high, PRIORITY_APP + 1)
 *     ... run(&high, locks_a); ...
 */
#ifndef TEST_MOTE_FRAME_HELPER_H
#define TEST_MOTE_FRAME_HELPER_H

#include <lichen/thread.h>

#include "test.h"

/* What a helper does next; each is started with this as its argument, or with 0 for nothing. */
typedef void step(void);

#define HELPER(name, priority)                                                                     \
    THREAD_STOPPED(name, SMALL_STACK, priority)                                                    \
    {                                                                                              \
        if (argument != 0) {                                                                       \
            ((step *)argument)();                                                                  \
        }                                                                                          \
    }

/* Starts a helper, which must not be running. */
static inline void run(struct thread *thread, step *first)
{
    int error = thread_start(thread, (void *)first);
    expect_equal(error, 0);
}

#endif
