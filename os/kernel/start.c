/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* From initialised memory to whatever runs when nothing else does.
 *
 * The linker decides which parts of the kernel are present: a part is linked when a declaration of
 * the program names it, and a linked part has an entry in the start table or defines one of the
 * weak names below. A program pays for nothing else. Interrupts are masked throughout: their
 * requests stay pending.
 */
#include "kernel/start.h"

#include "arch/arch.h"
#include "chip/chip.h"
#include "kernel/coop/coop.h"
#include "kernel/power/power.h"
#include "kernel/thread/thread.h"

extern start_fn *const ARCH_FLASH starts_begin[], *const ARCH_FLASH starts_end[];

/* Defined in this file, which every program links, so that the reference below does not link
 * os/arch/armv6m/events.S. In programs with a kernel level, that file's definition replaces this.
 */
__attribute__((weak)) void power_prepare_alone(void)
{
    power_prepare();
}

/* For real-time tasks and events: interrupts end each wait. */
static _Noreturn void sleep_forever(void)
{
    for (;;) {
        power_prepare_alone();
        arch_wait();
    }
}

_Noreturn void kernel_main(void)
{
    arch_init();
    chip_init();
    board_init();
    for (start_fn *const ARCH_FLASH *start = starts_begin; start < starts_end; start++) {
        (*start)();
    }
    arch_kernel_request(); /* to choose the depth of sleep, if idling comes first */
    if (threads_start != 0) {
        threads_start();
    }
    arch_start_alone();
    if (coop_run != 0) {
        coop_run(0);
    }
    sleep_forever();
}
