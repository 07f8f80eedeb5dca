/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* From start-up into the kernel level, for programs that have one. */
#include <lichen/event.h>
#include <lichen/kernel.h>

#include "arch/arch.h"
#include "kernel/level.h"
#include "kernel/start.h"
#include "kernel/thread/thread.h"

NEEDS(panic_of_thread);

/* Runs what INIT names; there if anything does. */
extern struct event init_event __attribute__((weak));

/* Rings are empty when both indices are equal; they begin at the top. */
static void rings_init(void)
{
    for (unsigned level = 0; level < ARCH_LEVELS; level++) {
        kernel.posted[level] = (uint8_t)(KERNEL_SLOTS - 1);
        kernel.taken[level] = (uint8_t)(KERNEL_SLOTS - 1);
    }
}

_Noreturn void kernel_level(void)
{
    rings_init();
    threads_init();
    if (&init_event != 0) {
        event_post_from(&init_event, ARCH_LEVEL_KERNEL);
    }
    /* If idling comes first, the kernel level must choose how deep. */
    arch_kernel_request();
    arch_start_threads();
}
