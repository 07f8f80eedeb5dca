/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The operations of this program, by the file that defines them. */
#ifndef TEST_FORCE_SYNC_OPERATIONS_H
#define TEST_FORCE_SYNC_OPERATIONS_H

#include "../kernel/operations.h"

/* mutex.c */
extern const struct force_operation operation_lock;
extern const struct force_operation operation_lock_held;
extern const struct force_operation operation_lock_until;
extern const struct force_operation operation_try_lock;

/* condition.c */
extern const struct force_operation operation_await;
extern const struct force_operation operation_await_until;
extern const struct force_operation operation_signal;
extern const struct force_operation operation_broadcast;
extern const struct force_operation operation_nudge;

/* barrier.c */
extern const struct force_operation operation_meet;
extern const struct force_operation operation_meet_until;

/* reference.c */
extern const struct force_operation operation_use;
extern const struct force_operation operation_unused;
extern const struct force_operation operation_unused_until;

#endif
