/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The groups of the linker's table (os/kernel/flash.ld). */
#include "load/groups.h"

#include "load/calls.h"

extern const ARCH_FLASH struct calls calls_begin[], calls_end[];

bool load_group(uint8_t index, struct load_group *group)
{
    const ARCH_FLASH struct calls *calls = calls_begin + index;

    if (calls >= calls_end) {
        return false;
    }
    *group = (struct load_group){.number = calls->group, .fingerprint = calls->fingerprint};
    return true;
}
