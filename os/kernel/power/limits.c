/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How deep to sleep in programs with limits. Each POWER_LIMIT links this file, whose power_prepare
 * is this one instead of that of power.c (os/features.cmake). */
#include "kernel/power/limits.h"

#include "chip/chip.h"
#include "kernel/power/power.h"

void power_choose_limited(void)
{
    kernel_stack_check();
    chip_sleep_prepare(power_limits_least());
}
