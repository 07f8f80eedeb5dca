/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A panic that waits for a debugger. Linked where the program says PANIC_HALT: then these functions
 * take the places of those in kernel/panic/record.c. */
#include "kernel/panic/panic.h"

#include "arch/arch.h"
#include "chip/chip.h"

/* PANIC_HALT names it to link this file. */
extern const uint8_t panic_halts;
const uint8_t panic_halts = 0;

/* The mote waits for a debugger, even in code that may hang. */
void panic_guard_stopped(void)
{
    chip_watchdog_stop();
}

_Noreturn void panic_finish_halted(void)
{
    chip_watchdog_stop();
    arch_halt();
}
