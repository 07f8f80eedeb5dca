/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How deep to sleep in programs with limits. Each POWER_LIMIT links this file, whose power_prepare
 * is this one instead of that of power.c (os/features.cmake). */
#include "kernel/power/limits.h"

#include "chip/chip.h"
#include "kernel/power/power.h"

extern const volatile uint8_t power_limits_begin[], power_limits_end[];

uint8_t power_limits_least(void)
{
    uint8_t mode = CHIP_SLEEP_MODES - 1;
    for (const volatile uint8_t *limit = power_limits_begin; limit < power_limits_end; limit++) {
        uint8_t deepest = (uint8_t)(*limit - 1u); /* 255 if there is no limit */
        if (deepest < mode) {
            mode = deepest;
        }
    }
    return mode;
}

void power_choose_limited(void)
{
    kernel_stack_check();
    chip_sleep_prepare(power_limits_least());
}
