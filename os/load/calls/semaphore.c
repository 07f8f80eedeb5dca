/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/semaphore.h>

CALLS_LAYOUT(sizeof(struct semaphore), 4, 8);

static void call_semaphore_wait(struct semaphore *semaphore)
{
    semaphore_wait(semaphore);
}

static int call_semaphore_wait_until(struct semaphore *semaphore, uint64_t deadline)
{
    return semaphore_wait_until(semaphore, deadline);
}

static int call_semaphore_try(struct semaphore *semaphore)
{
    return semaphore_try(semaphore);
}

static int call_semaphore_post(struct semaphore *semaphore)
{
    return semaphore_post(semaphore);
}

CALLS_FUNCTIONS = {
    [0] = (call_fn *)call_semaphore_wait,
    [1] = (call_fn *)call_semaphore_wait_until,
    [2] = (call_fn *)call_semaphore_try,
    [3] = (call_fn *)call_semaphore_post,
};

CALLS(semaphore, 5, 0x20, 0x2d00, 0x686d);
