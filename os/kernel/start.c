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
#include "kernel/power/power.h"

_Noreturn void sleep_forever(void);

/* Defined in this file, so that the reference below links starts.c only where START does. */
__attribute__((weak)) void kernel_starts(void)
{
}

/* Defined in this file, which every program links, so that the reference below does not link
 * os/arch/armv6m/events.S. In programs with a kernel level, that file's definition replaces this.
 */
__attribute__((weak)) void power_prepare_alone(void)
{
    power_prepare();
}

/* For real-time tasks and events: interrupts end each wait. */
_Noreturn void sleep_forever(void)
{
    arch_start_alone();
    for (;;) {
        power_prepare_alone();
        arch_wait();
    }
}

void kernel_main(void)
{
    arch_init();
    chip_init();
    board_init();
    kernel_starts();
}
