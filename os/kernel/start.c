/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* From initialised memory to the first thread. Interrupts are masked throughout: what they have to
 * say waits for the kernel.
 */
#include <lichen/init.h>
#include <lichen/kernel.h>

#include "arch/arch.h"
#include "chip/chip.h"
#include "kernel/thread/thread.h"

extern init_fn *const init_begin[], *const init_end[];

/* Rings are empty when both indices are equal; they begin at the top. */
static void rings_init(void)
{
    for (unsigned level = 0; level < ARCH_LEVELS; level++) {
        kernel.posted[level] = (uint8_t)KERNEL_SLOTS;
        kernel.taken[level] = (uint8_t)KERNEL_SLOTS;
    }
}

_Noreturn void kernel_main(void)
{
    arch_init();
    rings_init();
    chip_init();
    board_init();
    for (init_fn *const *init = init_begin; init < init_end; init++) {
        (*init)();
    }
    threads_init();
    /* If idling comes first, the kernel level must choose how deep. */
    arch_kernel_request();
    arch_start_threads();
}
