/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Messages without the kernel, where the architecture has no way to do that: never. */
#include <lichen/queue.h>

#include "arch/arch.h"

bool queue_put_alone(struct queue *queue, const void *item)
{
    (void)queue;
    (void)item;
    return false;
}

bool queue_take_alone(struct queue *queue, void *item)
{
    (void)queue;
    (void)item;
    return false;
}
