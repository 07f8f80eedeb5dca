/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The operations of this program, by the file that defines them. */
#ifndef TEST_FORCE_THREADS_OPERATIONS_H
#define TEST_FORCE_THREADS_OPERATIONS_H

#include "../kernel/operations.h"

/* life.c */
extern const struct force_operation operation_start;
extern const struct force_operation operation_join;
extern const struct force_operation operation_join_until;
extern const struct force_operation operation_pause;
extern const struct force_operation operation_resume;
extern const struct force_operation operation_destroy;
extern const struct force_operation operation_set_priority;

/* create.c */
extern const struct force_operation operation_create;

/* queue.c */
extern const struct force_operation operation_send;
extern const struct force_operation operation_send_until;
extern const struct force_operation operation_try_send;
extern const struct force_operation operation_receive;
extern const struct force_operation operation_receive_until;
extern const struct force_operation operation_try_receive;

/* queue_rt.c */
extern const struct force_operation operation_sample;
extern const struct force_operation operation_collect;
extern const struct force_operation operation_look;

#endif
