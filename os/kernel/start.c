/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* From initialised memory to whatever runs when nothing else does.
 *
 * The linker decides which parts of the kernel are present: a part is linked when a declaration of
 * the program names it, and a linked part has an entry in the start table or takes the place of a
 * usual function (os/features.cmake). A program pays for nothing else. Interrupts are masked
 * throughout: their requests stay pending.
 */
#include "kernel/start.h"

#include "arch/arch.h"
#include "chip/chip.h"
#include "kernel/power/power.h"

NEEDS(power_choose);

_Noreturn void kernel_sleep_forever(void);

/* For programs in which nothing says START. */
void kernel_starts_none(void)
{
}

/* For real-time tasks and events: interrupts end each wait. */
_Noreturn void kernel_sleep_forever(void)
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
