/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* From start-up into the kernel level, for programs that have one. */
#include "arch/arch.h"
#include "kernel/level.h"
#include "kernel/start.h"
#include "kernel/thread/thread.h"

NEEDS(panic_thread_name);

_Noreturn void kernel_level(void)
{
    /* If idling comes first, the kernel level must choose how deep. */
    arch_kernel_request();
    threads_start();
}
