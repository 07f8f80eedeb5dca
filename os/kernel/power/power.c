/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Decides how deep to sleep. This is done at the kernel level, and the idle thread or main loop
 * only executes the wait: an interrupt between the two that changes a limit, or makes work,
 * requests the kernel level, which comes back here or switches. Programs without a kernel level
 * decide before each wait, which returns at once if an interrupt has come since the last one. So
 * nothing is lost.
 */
#include "kernel/power/power.h"

#include "kernel/power/limits.h"

#include "chip/chip.h"

/* For programs without limits. */
void power_choose(void)
{
    kernel_stack_check();
    chip_sleep_prepare(CHIP_SLEEP_MODES - 1);
}
