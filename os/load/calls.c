/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The calls of an image by number. */
#include "load/calls.h"

#include "load/linker.h"

/* The linker's table of groups (os/kernel/flash.ld). */
extern const ARCH_FLASH struct calls calls_begin[], calls_end[];

/* A bit for each group that is declared. */
static uint32_t declared;

void calls_forget(void)
{
    declared = 0;
}

bool calls_group(uint8_t group, uint16_t fingerprint)
{
    for (const ARCH_FLASH struct calls *calls = calls_begin; calls != calls_end; calls++) {
        if (calls->group == group && calls->fingerprint == fingerprint) {
            declared |= UINT32_C(1) << group;
            return true;
        }
    }
    return false;
}

uintptr_t linker_call(uint8_t id)
{
    for (const ARCH_FLASH struct calls *calls = calls_begin; calls != calls_end; calls++) {
        uint8_t index = (uint8_t)(id - calls->first);
        if (index < calls->count && (declared >> calls->group & 1u) != 0) {
            return (uintptr_t)calls->functions[index];
        }
    }
    return 0;
}
