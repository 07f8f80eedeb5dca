/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */
/* clang-format off */
#include "load/calls.h"

#include <lichen/notify.h>

DECLARATION_NEEDS(notify_deliver_rare);
CALLS_LAYOUT(sizeof(struct notify), 10, 16);

static void call_notify_post(struct notify *notify)
{
    notify_post(notify);
}

static void call_notify_wait(struct notify *notify)
{
    notify_wait(notify);
}

static int call_notify_wait_until(struct notify *notify, uint64_t deadline)
{
    return notify_wait_until(notify, deadline);
}

CALLS_FUNCTIONS = {
    [0] = (call_fn *)call_notify_post,
    [1] = (call_fn *)call_notify_wait,
    [2] = (call_fn *)call_notify_wait_until,
};

CALLS(notify, 10, 0x32, 0x59a0, 0xf306);
