/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The functions that INIT names run as the first event: at the kernel level, before any thread,
 * with every call available that events have. The linker has sorted the table by phase. Each INIT
 * pulls in this file, so a program without one does not pay for it.
 */
#include <lichen/event.h>
#include <lichen/init.h>

#include "kernel/event/event.h"
#include "kernel/start.h"

extern init_fn *const ARCH_FLASH init_begin[], *const ARCH_FLASH init_end[];

EVENT(init_event)
{
    for (init_fn *const ARCH_FLASH *init = init_begin; init < init_end; init++) {
        (*init)();
    }
}

/* The rings can be used already: they are empty, since all indices are 0. */
static void init_start(void)
{
    event_post_service(&init_event);
}
START(init_start);
