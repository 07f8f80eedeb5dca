/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How threads give notifications, in C. */
#include <lichen/notify.h>

#include "arch/arch.h"

static void give(void *notify)
{
    notify_deliver(notify);
}

int notify_give(struct notify *notify)
{
    arch_kernel_do(give, notify);
    return 0;
}
