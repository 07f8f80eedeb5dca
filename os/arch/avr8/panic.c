/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The place of a panic, as panic.S finds it. */
#include "arch/arch.h"

#include <lichen/panic.h>

/* sp        the stack pointer at the call into the panic
 * status    SREG before interrupts were masked
 * after     where that call would return to, a word address
 */
_Noreturn void panic_at(const uint8_t *sp, uint8_t status, uint16_t reason, uint16_t detail,
                        uint16_t after);

static unsigned level_of(uint8_t status)
{
    if (!(status & ARCH_SREG_I)) {
        return 3;
    }
    return arch_level == 3 ? 1 : arch_level;
}

_Noreturn void panic_at(const uint8_t *sp, uint8_t status, uint16_t reason, uint16_t detail,
                        uint16_t after)
{
    struct arch_place place = {
        .pc = 2 * (uint32_t)(uint16_t)(after - 1u), /* in the call */
        .sp = (uintptr_t)sp + 2u,
        .status = (unsigned)level_of(status) << 8 | status,
    };
    panic_end(reason, detail, &place);
}
