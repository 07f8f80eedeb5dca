/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Calls that wait for one object: the most urgent caller first, equals in the order they came. At
 * the kernel level.
 */
#ifndef KERNEL_SYNC_WAIT_LIST_H
#define KERNEL_SYNC_WAIT_LIST_H

#include "kernel/thread/message.h"

/* Inserts by the caller's priority. cost: O(n) waiting calls */
void wait_list_insert(struct message **list, struct message *message);

/* Takes out a message that is in the list. cost: O(n) waiting calls */
void wait_list_remove(struct message **list, const struct message *message);

#endif
