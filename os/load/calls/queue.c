/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/queue.h>

CALLS_LAYOUT(sizeof(struct queue), 11, 20);

static int call_queue_send_until(struct queue *queue, const void *message, uint64_t deadline)
{
    return queue_send_until(queue, message, deadline);
}

static int call_queue_receive_until(struct queue *queue, void *message, uint64_t deadline)
{
    return queue_receive_until(queue, message, deadline);
}

CALLS_FUNCTIONS = {
    [0] = (call_fn *)(queue_send),
    [1] = (call_fn *)call_queue_send_until,
    [2] = (call_fn *)(queue_try_send),
    [3] = (call_fn *)(queue_receive),
    [4] = (call_fn *)call_queue_receive_until,
    [5] = (call_fn *)(queue_try_receive),
    [6] = (call_fn *)(queue_held),
};

CALLS(queue, 11, 0x38, 0x50d1, 0x3ab0);
