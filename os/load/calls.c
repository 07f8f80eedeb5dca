/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The calls of an image by number. */
#include "load/calls.h"

#include <string.h>

#include "base/crc32.h"
#include "load/linker.h"

/* The linker's table of groups (os/kernel/flash.ld). */
extern const ARCH_FLASH struct calls calls_begin[], calls_end[];

/* A bit for each group that is declared. */
static uint8_t declared[CALLS_GROUPS / 8];

static uint8_t bit_of(uint8_t group)
{
    return (uint8_t)(1u << (group & 7u));
}

void calls_forget(void)
{
    memset(declared, 0, sizeof(declared));
}

bool calls_group(uint8_t group, uint16_t fingerprint)
{
    for (const ARCH_FLASH struct calls *calls = calls_begin; calls != calls_end; calls++) {
        if (calls->group == group && calls->fingerprint == fingerprint) {
            declared[group / 8u] |= bit_of(group);
            return true;
        }
    }
    return false;
}

uintptr_t linker_call(uint8_t id)
{
    for (const ARCH_FLASH struct calls *calls = calls_begin; calls != calls_end; calls++) {
        uint8_t index = (uint8_t)(id - calls->first);
        uint8_t group = calls->group;

        if (index < calls->count && (declared[group / 8u] & bit_of(group)) != 0) {
            uint32_t address = ARCH_CODE_ADDRESS((uint32_t)(uintptr_t)calls->functions[index]);
            return address <= UINTPTR_MAX ? (uintptr_t)address : 0;
        }
    }
    return 0;
}

/* A program has the addresses of calls in its code. */
uint32_t calls_identity(void)
{
    uint32_t crc = CRC32_BEGIN;

    for (const ARCH_FLASH struct calls *calls = calls_begin; calls != calls_end; calls++) {
        for (uint8_t i = 0; i < calls->count; i++) {
            uintptr_t address = (uintptr_t)calls->functions[i];

            crc = crc32_add_all(crc, (const uint8_t *)&address, sizeof(address));
        }
    }
    return crc32_end(crc);
}
