/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The operations of this program, by the file that defines them, and the time that they share. */
#ifndef TEST_FORCE_KERNEL_OPERATIONS_H
#define TEST_FORCE_KERNEL_OPERATIONS_H

#include "force.h"

/* post.c */
extern const struct force_operation operation_post;
extern const struct force_operation operation_post_two;

/* notify.c */
extern const struct force_operation operation_wake;
extern const struct force_operation operation_wait;
extern const struct force_operation operation_wait_until;
extern const struct force_operation operation_wait_timeout;

/* semaphore.c */
extern const struct force_operation operation_give;
extern const struct force_operation operation_take;
extern const struct force_operation operation_try;
extern const struct force_operation operation_take_until;

/* yield.c */
extern const struct force_operation operation_yield;

/* time.c */
extern const struct force_operation operation_arm;
extern const struct force_operation operation_cancel;
extern const struct force_operation operation_sleep;

/* The deadline of this run's operations, 4 ms after they were prepared. Microseconds. */
extern uint64_t soon;
void soon_prepare(void);

/* The conductor waits for the end of something that it has made an operation wait for; the
 * operation reports the end. */
void over_wait(void);
void over(void);

#endif
