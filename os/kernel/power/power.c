/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Decides how deep to sleep. This is done at the kernel level, and the idle thread or main loop
 * only executes the wait: an interrupt between the two that changes a limit, or makes work,
 * requests the kernel level, which comes back here or switches. Programs without a kernel level
 * decide before each wait, which returns at once if an interrupt has come since the last one. So
 * nothing is lost.
 */
#include "kernel/power/power.h"

#include <lichen/panic.h>
#include <lichen/power.h>

#include "arch/arch.h"
#include "chip/chip.h"

extern const volatile uint8_t power_limits_begin[], power_limits_end[];

/* Idling is the time to check: the stack is unused except for this call. The upper end of the
 * reserve lies next to the deepest use. */
static void kernel_stack_check(void)
{
    const uint8_t *reserve = kernel_stack_bottom + ARCH_STACK_RESERVE - sizeof(arch_word_t);
    if (*(const arch_word_t *)(const void *)reserve != (arch_word_t)ARCH_STACK_PAINT) {
        arch_panic(PANIC_KERNEL_STACK, (uintptr_t)reserve);
    }
}

void power_choose(void)
{
    kernel_stack_check();
    uint8_t mode = CHIP_SLEEP_MODES - 1;
    for (const volatile uint8_t *limit = power_limits_begin; limit < power_limits_end; limit++) {
        uint8_t deepest = (uint8_t)(*limit - 1u); /* 255 if there is no limit */
        if (deepest < mode) {
            mode = deepest;
        }
    }
    chip_sleep_prepare(mode);
}
