/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* From start-up into the kernel level, for programs that have one. */
#include "arch/arch.h"
#include "kernel/event/post.h"
#include "kernel/level.h"
#include "kernel/start.h"
#include "kernel/thread/thread.h"

NEEDS(panic_thread_name);

/* Runs what INIT names; there if anything does. */
extern struct event init_event __attribute__((weak));

/* The rings are empty: both indices of each are 0. */
_Noreturn void kernel_level(void)
{
    if (&init_event != 0) {
        event_post_call(&init_event);
    }
    /* If idling comes first, the kernel level must choose how deep. */
    arch_kernel_request();
    threads_start();
}
