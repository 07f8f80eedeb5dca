/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/thread.h>

DECLARATION_NEEDS(kernel_level);
DECLARATION_NEEDS(threads_declared);
CALLS_LAYOUT(sizeof(struct thread), 16, 24);
CALLS_LAYOUT(sizeof(struct thread_info), 12, 20);
CALLS_LAYOUT(sizeof(struct thread_created), 30, 48);
CALLS_LAYOUT(THREAD_STACK_MIN, 150, 64);

static void call_thread_yield(void)
{
    thread_yield();
}

static int call_thread_start(struct thread *thread, void *argument)
{
    return thread_start(thread, argument);
}

static int call_thread_join_until(struct thread *thread, uint64_t deadline)
{
    return thread_join_until(thread, deadline);
}

CALLS_FUNCTIONS = {
    [0] = (call_fn *)call_thread_yield,
    [1] = (call_fn *)call_thread_start,
    [2] = (call_fn *)(thread_exit),
    [3] = (call_fn *)(thread_create),
    [4] = (call_fn *)(thread_destroy),
    [5] = (call_fn *)(thread_join),
    [6] = (call_fn *)call_thread_join_until,
    [7] = (call_fn *)(thread_pause),
    [8] = (call_fn *)(thread_resume),
    [9] = (call_fn *)(thread_set_priority),
    [10] = (call_fn *)(thread_name),
    [11] = (call_fn *)(thread_self),
};

CALLS(thread, 2, 0x04, 0xe608, 0xac53);
