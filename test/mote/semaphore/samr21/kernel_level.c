/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Posts of an interrupt handler at the kernel level, which AVR does not have. */
#include <lichen/interrupt.h>
#include <lichen/semaphore.h>

#include "test.h"

/* Vector TC4, which nothing else here uses. */
#define NVIC_ISER (*(volatile uint32_t *)0xe000e100u)
#define NVIC_ISPR (*(volatile uint32_t *)0xe000e200u)
#define NVIC_IPR4 (*(volatile uint32_t *)0xe000e410u) /* lines 16 to 19 */
#define TC4_LINE  19u

SEMAPHORE_RT(from_kernel_level, 0);

INTERRUPT(TC4)
{
    semaphore_post_from(&from_kernel_level, LEVEL_KERNEL);
    semaphore_post_from(&from_kernel_level, LEVEL_KERNEL);
}

static unsigned drain(void)
{
    unsigned count = 0;
    while (semaphore_try(&from_kernel_level.semaphore) == 0) {
        count++;
    }
    return count;
}

TEST(no_post_of_a_handler_at_the_kernel_level_is_lost)
{
    NVIC_IPR4 |= 0xc0000000u;
    NVIC_ISER = 1u << TC4_LINE;
    for (unsigned i = 0; i < 3; i++) {
        NVIC_ISPR = 1u << TC4_LINE;
        __asm__ volatile("dsb\n\tisb" : : : "memory");
        expect_equal(drain(), 2);
    }
}
