/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Calls that wait for one object. */
#include "kernel/sync/wait_list.h"

void wait_list_insert(struct message **list, struct message *message)
{
    while (*list != 0 && (*list)->thread->priority >= message->thread->priority) {
        list = &(*list)->next;
    }
    message->next = *list;
    *list = message;
}

void wait_list_remove(struct message **list, const struct message *message)
{
    while (*list != message) {
        list = &(*list)->next;
    }
    *list = message->next;
}
