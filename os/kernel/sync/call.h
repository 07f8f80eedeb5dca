/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The calls that waiting for ever and waiting until a moment share. The second is in a file of its
 * own, since it brings the clock into the program. Their argument is the message, whose object is
 * what is waited for; queue and condition have more in their own structures.
 */
#ifndef KERNEL_SYNC_CALL_H
#define KERNEL_SYNC_CALL_H

#include <lichen/condition.h>
#include <lichen/message.h>

int semaphore_call(void *message);
int mutex_call(void *message);
int barrier_call(void *message);
int reference_call(void *message);

struct condition_call {
    struct message message;
    struct mutex *mutex;
};

int condition_call(void *condition_call);

/* Locks the mutex again after a wait that ended with `error`. Returns which of the two errors
 * counts.
 */
int condition_end(struct mutex *mutex, int error);

#endif
